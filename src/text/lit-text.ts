import {cleanLine} from './clean.ts';
import {type Line, span, type Tone} from './line.ts';

/** One line of foreign text in which the units at `matches` (UTF-16, of the raw text) are lit. */
export function litText(text: string, matches: readonly number[], {tone}: {readonly tone?: Tone} = {}): Line {
	if (matches.length === 0) return [span(cleanLine(text, 255), tone)];
	const lit = new Set(matches);
	const runs: {text: string; isLit: boolean}[] = [];
	let index = 0;
	for (const character of text) {
		const isLit = lit.has(index);
		index += character.length;
		const last = runs.at(-1);
		if (last?.isLit === isLit) last.text += character;
		else runs.push({text: character, isLit});
	}
	return runs.map(run =>
		run.isLit ? span(cleanLine(run.text, 255), 'accent', {bold: true}) : span(cleanLine(run.text, 255), tone),
	);
}
