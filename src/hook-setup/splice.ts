import {applyEdits, type Edit} from 'jsonc-parser';
import {indentAt, type JsonStyle, type Layout} from './json-style.ts';
import {endOf, type JsonNode, JsonTextError, nextToken, parseJsonText} from './json-text.ts';

// Not jsonc-parser's `modify`: it breaks one-line files into lines, moves comments and drops emptied containers' white
// space, so that an uninstall would not restore the bytes.

/** An element's position: its container and its index in it. */
export type ElementPosition = {readonly container: JsonNode; readonly index: number};

const blank = /^[ \t\n\r]*$/;

/** Replaces a node's text with `content`. */
export function replacement({offset, length}: JsonNode, content: string): Edit {
	return {offset, length, content};
}

/**
 * Appends an element to a container in the layout of its last one. Keeps everything between the brackets, and
 * keeps comments with their element. `removeElement` undoes it byte for byte.
 */
export function appendElement(
	text: string,
	container: JsonNode,
	style: JsonStyle,
	format: (layout: Layout) => string,
): string {
	const last = container.children?.at(-1);
	const inner = text.slice(container.offset + 1, endOf(container) - 1);
	if (!last && blank.test(inner)) return fillEmpty(text, container, style, format);
	// After the last comment, if any.
	const at = container.offset + 1 + withoutEndSpace(inner).length;
	const isInline = last
		? !/[\n\r]/.test(text.slice(container.offset, last.offset) + text.slice(endOf(last), endOf(container)))
		: !/[\n\r]/.test(inner);
	const indent = last ? indentAt(text, last.offset) : indentAt(text, container.offset) + style.unit;
	const separator = isInline ? style.gap : style.lineEnd + indent;
	const added = {offset: at, length: 0, content: separator + format({isInline, indent})};
	if (!last) return applyEdits(text, [added]);
	if (endOf(last) === at) return applyEdits(text, [{...added, content: `,${added.content}`}]);
	return applyEdits(text, [{offset: endOf(last), length: 0, content: ','}, added]);
}

/**
 * Creates a container with its first element, with white space after its bracket: a line end or one space. A
 * container that was there but empty gets one more space after its content: this tells removal which brackets
 * to keep.
 */
export function wrapElement(
	open: '{' | '[',
	{isInline, indent}: Layout,
	style: JsonStyle,
	format: (layout: Layout) => string,
	oldContent = '',
): string {
	const close = open === '{' ? '}' : ']';
	if (isInline) return `${open}${oldContent} ${format({isInline, indent})}${close}`;
	const inner = indent + style.unit;
	const element = format({isInline, indent: inner});
	return `${open}${oldContent}${style.lineEnd}${inner}${element}${style.lineEnd}${indent}${close}`;
}

function fillEmpty(
	text: string,
	container: JsonNode,
	style: JsonStyle,
	format: (layout: Layout) => string,
): string {
	const layout = {isInline: style.isInline, indent: indentAt(text, container.offset)};
	const oldContent = `${text.slice(container.offset + 1, endOf(container) - 1)} `;
	const open = container.type === 'object' ? '{' : '[';
	const content = wrapElement(open, layout, style, format, oldContent);
	return applyEdits(text, [replacement(container, content)]);
}

/**
 * The content of an emptied container before its first element was added; undefined if it was created for that
 * element.
 */
function contentBefore(lead: string): string | undefined {
	const line = /(?:\r\n|\n|\r)[ \t]*$/.exec(lead);
	if (line) return lead[line.index - 1] === ' ' ? lead.slice(0, line.index - 1) : undefined;
	return lead.length > 1 ? lead.slice(0, -2) : undefined;
}

/**
 * Removes an element and the containers created for it. `ancestry` lists the containers around it and the
 * element, outermost first. Undefined if nothing but the file itself would be left.
 */
export function removeElement(text: string, ancestry: readonly ElementPosition[]): string | undefined {
	const position = ancestry.at(-1);
	if (!position) throw new Error('an element has a position');
	const {container, index} = position;
	const elements = container.children ?? [];
	const element = elements[index] as JsonNode;
	if (elements.length > 1) return removeBeside(text, elements, index);
	const lead = text.slice(container.offset + 1, element.offset);
	const trail = text.slice(endOf(element), endOf(container) - 1);
	if (!blank.test(lead + trail)) return removeSpaced(text, element);
	const oldContent = contentBefore(lead);
	if (oldContent !== undefined)
		return applyEdits(text, [
			{offset: container.offset + 1, length: container.length - 2, content: oldContent},
		]);
	if (ancestry.length > 1) return removeElement(text, ancestry.slice(0, -1));
	const rest = text.slice(0, container.offset) + text.slice(endOf(container));
	return container.offset === 0 && /^(?:\r\n|\n|\r)$/.test(rest) ? undefined : rest;
}

function removeBeside(text: string, elements: readonly JsonNode[], index: number): string {
	const element = elements[index] as JsonNode;
	const previous = elements[index - 1];
	if (elements[index + 1] || !previous) {
		const comma = nextToken(text, endOf(element));
		const after = /^[ \t\n\r]*/.exec(text.slice(comma + 1))?.[0].length ?? 0;
		return applyEdits(text, [replacement(element, ''), {offset: comma, length: 1 + after, content: ''}]);
	}
	const comma = nextToken(text, endOf(previous));
	return removeSpaced(text.slice(0, comma) + text.slice(comma + 1), {...element, offset: element.offset - 1});
}

/** Removes an element and the white space before it, unless that white space ends a comment. */
function removeSpaced(text: string, element: JsonNode): string {
	const rest = text.slice(endOf(element));
	const short = withoutEndSpace(text.slice(0, element.offset)) + rest;
	return isJson(short) ? short : text.slice(0, element.offset) + rest;
}

/** Trims JSON white space at the end. Other white space may be part of a comment. */
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
