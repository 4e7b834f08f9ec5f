import {cleanLine} from '../cells/clean.ts';
import {type Safe, safe} from '../cells/safe.ts';

/** Fields that best summarize a tool's input, best first. */
const summaryKeys = [
	'command',
	'cmd',
	'file_path',
	'path',
	'pattern',
	'query',
	'url',
	'description',
	'prompt',
] as const;
const wordsCap = 400;

/**
 * Summarizes a tool's input: `words` for one line (cleaned), `details` field by field, and `asked`, the most
 * telling field (raw).
 */
export function toolSummary(input: unknown): {words: Safe; details: string; asked: string} {
	if (input === undefined || input === null) return {words: safe``, details: '', asked: ''};
	if (typeof input !== 'object' || Array.isArray(input)) {
		const text = valueText(input);
		return {words: cleanLine(text, wordsCap), details: text, asked: text};
	}
	const fields = Object.entries(input);
	const best = summaryKeys.find(name => typeof (input as Record<string, unknown>)[name] === 'string');
	const words = best
		? String((input as Record<string, unknown>)[best])
		: fields.map(([name]) => name).join(', ');
	const details = fields.map(([name, value]) => `${name}: ${valueText(value)}`).join('\n');
	return {words: cleanLine(words.trim(), wordsCap), details, asked: best ? words : details};
}

function valueText(value: unknown): string {
	return typeof value === 'string' ? value : jsonOf(value);
}

/** A value of any depth as JSON, indented by `indent` if given, else on one line. */
export function jsonOf(value: unknown, indent?: number): string {
	try {
		return JSON.stringify(value, undefined, indent) ?? '';
	} catch {
		// Nested too deeply for the stack, and useless to a reader anyway.
		return '(nested too deep to show)';
	}
}
