import {cleanLine} from '../cells/clean.ts';
import {type Line, span, type Tone} from '../cells/line.ts';

/** A progress bar of `width` columns: heavy for done, light for left, so that it is readable without color. */
export function barLine(share: number, width: number, tone: Tone): Line {
	const full = Math.round(Math.max(0, Math.min(1, share)) * width);
	return [span(cleanLine('━'.repeat(full)), tone), span(cleanLine('─'.repeat(width - full)), 'border')];
}
