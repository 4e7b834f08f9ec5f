import {endOf, type JsonNode} from './json-text.ts';

/** A file's formatting, used to make additions match. */
export type JsonStyle = {
	readonly lineEnd: string;
	/** One step of indentation. */
	readonly unit: string;
	/** White space after a colon, and after a comma within a line. */
	readonly gap: string;
	/** The whole file is on one line. */
	readonly isInline: boolean;
};

/** Where an element goes: inline, or on its own lines indented by `indent`. */
export type Layout = {readonly isInline: boolean; readonly indent: string};

/** Detects the style of a text; for an empty object or no text: two spaces, one member per line. */
export function styleOf(text: string, root?: JsonNode): JsonStyle {
	const first = root?.type === 'object' ? root.children?.[0] : undefined;
	const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
	if (!root || !first) return {lineEnd, unit: '  ', gap: ' ', isInline: false};
	const isInline = !/[\n\r]/.test(text.slice(root.offset, endOf(root)));
	const unit = isInline ? '' : indentAt(text, first.offset).slice(indentAt(text, root.offset).length);
	const gap = first.children?.[1]?.offset === (first.colonOffset ?? 0) + 1 ? '' : ' ';
	return {lineEnd, unit: unit || '  ', gap, isInline};
}

/** White space at the start of the line that contains an offset. */
export function indentAt(text: string, offset: number): string {
	const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
	return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** A key with its colon. */
export function formatKey(key: string, {gap}: JsonStyle): string {
	return `${JSON.stringify(key)}:${gap}`;
}

/** Formats a value in the file's style. */
export function formatValue(value: unknown, layout: Layout, style: JsonStyle): string {
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const isArray = Array.isArray(value);
	const [open, close] = isArray ? '[]' : '{}';
	const inner = {...layout, indent: layout.indent + style.unit};
	const parts = Object.entries(value).map(
		([key, part]) => (isArray ? '' : formatKey(key, style)) + formatValue(part, inner, style),
	);
	if (parts.length === 0) return `${open}${close}`;
	if (layout.isInline) return `${open}${parts.join(`,${style.gap}`)}${close}`;
	const separator = style.lineEnd + inner.indent;
	return `${open}${separator}${parts.join(`,${separator}`)}${style.lineEnd}${layout.indent}${close}`;
}
