import type {Progress} from '../../domain/provisioning.ts';
import type {ComputerItem} from '../../state/lists.ts';
import {cleanLine} from '../../text/clean.ts';
import {pad} from '../../text/cut.ts';
import {type Line, lineWidth, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {age} from '../../text/times.ts';
import {barLine} from '../kit/bar.ts';
import {computerLook, isUnderWay} from './computer-state.ts';

/** Columns of `3/5` and the elapsed time, right of the bar. */
const countsWidth = 10;

/**
 * `● gpu-1      ━━━━━━── 4/5  38s` during provisioning, `✓ build-box        active` afterwards; exactly
 * `width` columns.
 */
export function computerRow(item: ComputerItem, progress: Progress, width: number): Line {
	const look = computerLook(item);
	const isMoving = isUnderWay(item) && progress.total > 0;
	const end = isMoving
		? movingEnd(progress, width)
		: [span(look.word, look.tone === 'good' ? 'dim' : look.tone)];
	const name = pad(cleanLine(item.name), Math.max(4, width - lineWidth(end) - 3));
	return [span(look.glyph, look.tone), span(safe` `), span(name), span(safe` `), ...end];
}

function movingEnd({done, total, current}: Progress, width: number): Line {
	const running = current?.elapsed;
	const bar = Math.max(4, Math.min(8, Math.floor(width / 4) - 2));
	const steps = pad(safe`${done}/${total}`, countsWidth / 2, 'end');
	const time = pad(running === undefined ? safe`` : age(running), countsWidth / 2, 'end');
	return [...barLine(done / total, bar, 'accent'), span(steps), span(time, current?.isLong ? 'warn' : 'dim')];
}
