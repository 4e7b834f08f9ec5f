import {indentAt, type JsonStyle, type Layout} from './json-style.ts';
import {
	type JsonArray,
	type JsonNode,
	type JsonObject,
	JsonTextError,
	parseJsonText,
	skipTrivia,
} from './json-text.ts';

export type Container = JsonObject | JsonArray;

/** An element by where it is: its container, and its place in it. */
export type Place = {readonly container: Container; readonly index: number};

type Edit = {readonly at: number; readonly remove: number; readonly insert: string};

const blank = /^[ \t\n\r]*$/;

function elementsOf(container: Container): readonly {start: number; end: number}[] {
	return container.kind === 'object' ? container.members : container.items;
}

function applyEdits(text: string, edits: readonly Edit[]): string {
	let result = text;
	for (const {at, remove, insert} of [...edits].sort((a, b) => b.at - a.at))
		result = result.slice(0, at) + insert + result.slice(at + remove);
	return result;
}

/** Another text in the place of a node. */
export function replaceNode(text: string, {start, end}: JsonNode, insert: string): string {
	return applyEdits(text, [{at: start, remove: end - start, insert}]);
}

/**
 * Adds an element at the end of a container, in the layout of its last one. What stood between the brackets stays, and
 * comments keep their element. `removeElement` undoes it to the byte.
 */
export function appendElement(
	text: string,
	container: Container,
	style: JsonStyle,
	format: (layout: Layout) => string,
): string {
	const last = elementsOf(container).at(-1);
	const inner = text.slice(container.start + 1, container.end - 1);
	if (!last && blank.test(inner)) return fillEmpty(text, container, style, format);
	// Behind the last comment, if there is one.
	const at = container.start + 1 + withoutEndSpace(inner).length;
	const isInline = last
		? !/[\n\r]/.test(text.slice(container.start, last.start) + text.slice(last.end, container.end))
		: !/[\n\r]/.test(inner);
	const indent = last ? indentAt(text, last.start) : indentAt(text, container.start) + style.unit;
	const separator = isInline ? style.gap : style.lineEnd + indent;
	const added = {at, remove: 0, insert: separator + format({isInline, indent})};
	if (!last) return applyEdits(text, [added]);
	if (last.end === at) return applyEdits(text, [{...added, insert: `,${added.insert}`}]);
	return applyEdits(text, [{at: last.end, remove: 0, insert: ','}, added]);
}

/**
 * A container made with its first element. White space stands behind its bracket: a line end, or one space. A container
 * that was there, empty, gets one space more, behind what it held: that is how removal tells which brackets to leave.
 */
export function wrapElement(
	open: '{' | '[',
	{isInline, indent}: Layout,
	style: JsonStyle,
	format: (layout: Layout) => string,
	held = '',
): string {
	const close = open === '{' ? '}' : ']';
	if (isInline) return `${open}${held} ${format({isInline, indent})}${close}`;
	const inner = indent + style.unit;
	const element = format({isInline, indent: inner});
	return `${open}${held}${style.lineEnd}${inner}${element}${style.lineEnd}${indent}${close}`;
}

function fillEmpty(
	text: string,
	container: Container,
	style: JsonStyle,
	format: (layout: Layout) => string,
): string {
	const layout = {isInline: style.isInline, indent: indentAt(text, container.start)};
	const held = `${text.slice(container.start + 1, container.end - 1)} `;
	const open = container.kind === 'object' ? '{' : '[';
	return replaceNode(text, container, wrapElement(open, layout, style, format, held));
}

/** What an emptied container held before its first element came, or undefined when it was made for that one. */
function heldBefore(lead: string): string | undefined {
	const line = /(?:\r\n|\n|\r)[ \t]*$/.exec(lead);
	if (line) return lead[line.index - 1] === ' ' ? lead.slice(0, line.index - 1) : undefined;
	return lead.length > 1 ? lead.slice(0, -2) : undefined;
}

/**
 * Takes an element away, and with it the containers that were made for it: `ancestry` names the element and the
 * containers around its own, outermost first. Undefined when nothing is left of the text but the file itself.
 */
export function removeElement(text: string, ancestry: readonly Place[]): string | undefined {
	const place = ancestry.at(-1);
	if (!place) throw new Error('an element has a place');
	const {container, index} = place;
	const elements = elementsOf(container);
	const element = elements[index] as {start: number; end: number};
	if (elements.length > 1) return removeBeside(text, elements, index);
	const lead = text.slice(container.start + 1, element.start);
	const trail = text.slice(element.end, container.end - 1);
	if (!blank.test(lead + trail)) return removeSpaced(text, element);
	const held = heldBefore(lead);
	if (held !== undefined)
		return applyEdits(text, [
			{at: container.start + 1, remove: container.end - container.start - 2, insert: held},
		]);
	if (ancestry.length > 1) return removeElement(text, ancestry.slice(0, -1));
	const rest = text.slice(0, container.start) + text.slice(container.end);
	return container.start === 0 && /^(?:\r\n|\n|\r)$/.test(rest) ? undefined : rest;
}

function removeBeside(
	text: string,
	elements: readonly {start: number; end: number}[],
	index: number,
): string {
	const element = elements[index] as {start: number; end: number};
	const previous = elements[index - 1];
	if (elements[index + 1] || !previous) {
		const comma = skipTrivia(text, element.end);
		const after = /^[ \t\n\r]*/.exec(text.slice(comma + 1))?.[0].length ?? 0;
		return applyEdits(text, [
			{at: element.start, remove: element.end - element.start, insert: ''},
			{at: comma, remove: 1 + after, insert: ''},
		]);
	}
	const comma = skipTrivia(text, previous.end);
	return removeSpaced(text.slice(0, comma) + text.slice(comma + 1), {
		start: element.start - 1,
		end: element.end - 1,
	});
}

/** An element and the white space before it, unless that ends a comment. */
function removeSpaced(text: string, {start, end}: {start: number; end: number}): string {
	const before = withoutEndSpace(text.slice(0, start));
	const short = before + text.slice(end);
	return isJson(short) ? short : text.slice(0, start) + text.slice(end);
}

/** Without the white space of JSON at its end: what else counts as such may be the end of a comment. */
function withoutEndSpace(text: string): string {
	let end = text.length;
	while (' \t\n\r'.includes(text[end - 1] ?? '-')) end--;
	return text.slice(0, end);
}

function isJson(text: string): boolean {
	try {
		parseJsonText(text);
		return true;
	} catch (error) {
		if (error instanceof JsonTextError) return false;
		throw error;
	}
}
