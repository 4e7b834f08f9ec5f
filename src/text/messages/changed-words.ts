import {diffWordsWithSpace} from 'diff';
import type {Span, Tint} from '../cells/line.ts';
import {stillSafe} from '../cells/safe.ts';

/** From and up to, UTF-16 units. */
export type TextRange = readonly [from: number, to: number];

/** Longer lines and more differences aren't compared by word. */
const maxLength = 400;
const maxDifferences = 200;
/** Less in common, and the lines are simply different. */
const minCommon = 0.3;

/** The words that differ between a removed line and the one that replaces it; nothing if they are too different. */
export function changedWords(
	before: string,
	after: string,
): readonly [readonly TextRange[], readonly TextRange[]] {
	if (Math.max(before.length, after.length) > maxLength) return [[], []];
	const parts = diffWordsWithSpace(before, after, {maxEditLength: maxDifferences}) ?? [];
	const removed: TextRange[] = [];
	const added: TextRange[] = [];
	let [beforeAt, afterAt, common] = [0, 0, 0];
	for (const {value, removed: isRemoved, added: isAdded} of parts) {
		if (isRemoved) addRange(removed, [beforeAt, beforeAt + value.length], before);
		else if (isAdded) addRange(added, [afterAt, afterAt + value.length], after);
		else common += inkOf(value);
		if (!isAdded) beforeAt += value.length;
		if (!isRemoved) afterAt += value.length;
	}
	return common >= minCommon * Math.max(inkOf(before), inkOf(after)) ? [removed, added] : [[], []];
}

/** Adds a range without the spaces at its ends. Ranges with only spaces between them are one. */
function addRange(ranges: TextRange[], [from, to]: TextRange, text: string): void {
	const value = text.slice(from, to);
	const start = value.trim() === '' ? from : from + value.length - value.trimStart().length;
	const end = value.trim() === '' ? to : start + value.trim().length;
	const last = ranges.at(-1);
	if (last && inkOf(text.slice(last[1], start)) === 0) ranges[ranges.length - 1] = [last[0], end];
	else ranges.push([start, end]);
}

function inkOf(text: string): number {
	return text.replace(/\s/g, '').length;
}

/** Spans with a background behind ranges of their text. */
export function tintedRanges(
	spans: readonly Span[],
	ranges: readonly TextRange[],
	tint: Tint,
): readonly Span[] {
	if (ranges.length === 0) return spans;
	let start = 0;
	return spans.flatMap(part => {
		const cuts = ranges.flat().map(at => Math.min(Math.max(at - start, 0), part.text.length));
		const edges = [...new Set([0, ...cuts, part.text.length])];
		const pieces = edges.slice(1).map((to, index): Span => {
			const from = edges[index] ?? 0;
			const isChanged = ranges.some(range => range[0] <= start + from && start + to <= range[1]);
			return {...part, text: stillSafe(part.text.slice(from, to)), ...(isChanged && {tint})};
		});
		start += part.text.length;
		return pieces;
	});
}
