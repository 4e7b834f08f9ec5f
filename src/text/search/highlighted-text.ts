import {cleanLine} from '../cells/clean.ts';
import {type Line, span, type Tone} from '../cells/line.ts';

/** One line of untrusted text with the units at `matches` (UTF-16, in the raw text) highlighted. */
export function highlightedText(
	text: string,
	matches: readonly number[],
	{tone}: {readonly tone?: Tone} = {},
): Line {
	if (matches.length === 0) return [span(cleanLine(text, 255), tone)];
	const lit = new Set(matches);
	const runs: {text: string; isHighlighted: boolean}[] = [];
	let index = 0;
	for (const character of text) {
		const isHighlighted = lit.has(index);
		index += character.length;
		const last = runs.at(-1);
		if (last?.isHighlighted === isHighlighted) last.text += character;
		else runs.push({text: character, isHighlighted});
	}
	return runs.map(run =>
		run.isHighlighted
			? span(cleanLine(run.text, 255), 'accent', {bold: true})
			: span(cleanLine(run.text, 255), tone),
	);
}
