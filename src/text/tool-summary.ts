import {cleanLine} from './clean.ts';
import {type Safe, safe} from './safe.ts';

/** Fields that tell best what a tool was asked, best first. */
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
 * What a tool was asked: `words` for one line (cleaned), `details` field by field and `asked`, the field that tells best
 * (raw).
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

/** A value of any depth as JSON, on one line or several. */
export function jsonOf(value: unknown, indent?: number): string {
	try {
		return JSON.stringify(value, undefined, indent) ?? '';
	} catch {
		// Nested deeper than the stack: its words are no use to a reader either.
		return '(nested too deep to show)';
	}
}
