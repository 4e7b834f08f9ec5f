import {type Line, span, type Tone} from '../../text/line.ts';
import {progressBar} from '../../text/progress-bar.ts';

const glyphs = {full: '━', empty: '─'} as const;

/** A progress bar of `width` columns: heavy for what is done, light for what is left, so that it reads without colour. */
export function barLine(share: number, width: number, tone: Tone): Line {
	const full = Math.round(Math.max(0, Math.min(1, share)) * width);
	return [span(progressBar(1, full, glyphs), tone), span(progressBar(0, width - full, glyphs), 'border')];
}
