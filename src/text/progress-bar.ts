import {type Safe, stillSafe} from './safe.ts';

export type BarGlyphs = {readonly full: string; readonly empty: string};

const ascii: BarGlyphs = {full: '#', empty: '.'};

/** A bar of exactly `width` columns. `share` is 0 to 1; anything else is brought into that range, NaN is 0. */
export function progressBar(share: number, width: number, glyphs: BarGlyphs = ascii): Safe {
	const columns = Math.max(0, Math.floor(width));
	const bounded = Number.isNaN(share) ? 0 : Math.min(1, Math.max(0, share));
	// A bar is full only when all is done.
	const full = bounded === 1 ? columns : Math.min(Math.round(bounded * columns), Math.max(0, columns - 1));
	return stillSafe(glyphs.full.repeat(full) + glyphs.empty.repeat(columns - full));
}
