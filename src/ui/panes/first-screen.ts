import type {KeyMap} from '../../keys/key-map.ts';
import {pad} from '../../text/cut.ts';
import {type Line, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {wrapText} from '../../text/wrap.ts';

/** Maximum text width, in columns; longer lines are hard to read. */
const widest = 72;
const keyWidth = 8;

/** The first-run screen, at most `width` columns wide: what the app is, and the two ways to start. */
export function firstScreen(width: number, keys: KeyMap): Line[] {
	const columns = Math.min(widest, width);
	const indent = span(pad(safe``, Math.floor((width - columns) / 2)));
	const paragraph = (text: Safe, tone?: 'dim'): Line[] =>
		wrapText(text, columns).map(row => [span(row, tone)]);
	const choice = (key: Safe, words: Safe): Line[] =>
		wrapText(words, Math.max(8, columns - keyWidth)).map((row, index) => [
			span(pad(index === 0 ? key : safe``, keyWidth), 'accent', {bold: true}),
			span(row),
		]);
	const lines: Line[] = [
		...paragraph(safe`See which sessions need you, what each is doing, and whether its machine is up.`),
		[],
		[span(safe`Connect`, 'heading')],
		...choice(keys.label('connect'), safe`to a hosted service, with its address and a key`),
		[],
		[span(safe`Work locally`, 'heading')],
		...choice(keys.label('work-locally'), safe`on this machine, without an account`),
		[],
		...paragraph(
			safe`Create keys in the web app's key settings. Scripts and containers can set QUARTERDECK_BASE_URL and QUARTERDECK_API_KEY instead.`,
			'dim',
		),
	];
	return lines.map(line => (line.length === 0 ? line : [indent, ...line]));
}
