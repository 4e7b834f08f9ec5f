import {type Safe, stillSafe} from '../cells/safe.ts';

export type BarGlyphs = {readonly full: string; readonly empty: string};

const ascii: BarGlyphs = {full: '#', empty: '.'};

/** A bar of exactly `width` columns. `share` is clamped to 0-1; NaN counts as 0. */
export function progressBar(share: number, width: number, glyphs: BarGlyphs = ascii): Safe {
	const columns = Math.max(0, Math.floor(width));
	const bounded = Number.isNaN(share) ? 0 : Math.min(1, Math.max(0, share));
	// Only a share of 1 fills the bar completely.
	const full = bounded === 1 ? columns : Math.min(Math.round(bounded * columns), Math.max(0, columns - 1));
	return stillSafe(glyphs.full.repeat(full) + glyphs.empty.repeat(columns - full));
}
