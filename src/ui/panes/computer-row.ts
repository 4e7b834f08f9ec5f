import type {Progress} from '../../domain/provisioning.ts';
import type {ComputerItem} from '../../state/lists.ts';
import {cleanLine} from '../../text/clean.ts';
import {pad} from '../../text/cut.ts';
import {type Line, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {age} from '../../text/times.ts';
import {barLine} from '../kit/bar.ts';
import {computerLook, isUnderWay} from './computer-state.ts';

const statusWidth = 18;

/** `● gpu-1      ━━━━━━── 4/5  38s` while it is provisioned, `✓ build-box        active` after; `width` columns. */
export function computerRow(item: ComputerItem, progress: Progress, width: number): Line {
	const look = computerLook(item, progress);
	const name = Math.max(4, width - statusWidth - 3);
	const head: Line = [
		span(look.glyph, look.tone),
		span(safe` `),
		span(pad(cleanLine(item.name), name)),
		span(safe` `),
	];
	if (!isUnderWay(item.known.computer?.status, progress) || progress.total === 0)
		return [...head, span(pad(look.word, statusWidth, 'end'), look.tone === 'good' ? 'dim' : look.tone)];
	const steps = pad(safe`${progress.done}/${progress.total}`, 5, 'end');
	const running = progress.current?.elapsed;
	return [
		...head,
		...barLine(progress.done / progress.total, statusWidth - 10, 'accent'),
		span(steps),
		span(
			pad(running === undefined ? safe`` : age(running), 5, 'end'),
			progress.current?.isLong ? 'warn' : 'dim',
		),
	];
}
