import type {SessionItem} from '../../state/sessions/session-items.ts';
import {isStuck, spinnerAt, turnStart} from '../../state/sessions/session-look.ts';
import {isUnsure} from '../../state/sessions/session-state.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {fitLine, type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {openCallOf} from '../../text/messages/tool-card.ts';
import {createToolPairing} from '../../text/messages/tool-pairs.ts';
import {wholeDuration} from '../../text/values/times.ts';
import type {StreamItem} from './stream-items.ts';

/** `9s` and `10s`: what follows stays where it is. */
const timeColumns = 3;

/** A stream with fewer rows than this has none to spare. */
const minHeight = 6;

type Waiting = {readonly state?: SessionItem['state'] | undefined; readonly reason?: string | undefined};

/** Rows under the messages that show what the agent does: one while it works, or waits for its computer. */
export function workRows({state, reason}: Waiting, height: number): 0 | 1 {
	const isShown = state === 'working' || (state === 'pending' && reason !== undefined);
	return isShown && height >= minHeight ? 1 : 0;
}

type WorkOptions = {
	readonly now: number;
	readonly hasReducedMotion: boolean;
	readonly width: number;
};

/**
 * A spinner, how long the turn takes, and the current tool: `◐ 38s  Bash npm test`; if it wasn't read for long, what it
 * did then.
 */
export function workRow(
	item: SessionItem,
	items: readonly StreamItem[],
	{now, hasReducedMotion, width}: WorkOptions,
): Line {
	const {state, reason} = item;
	const isPending = state === 'pending' && reason !== undefined;
	const tool = isPending ? cleanLine(reason, 200) : (currentTool(item, items) ?? safe`working`);
	if (isUnsure(item, now)) return fitLine([span(safe`◌ when last read: ${tool}`, 'dim')], width);
	if (isPending) return fitLine([span(safe`◌ ${tool}`, 'dim')], width);
	const start = turnStart(item);
	const glyph = spinnerAt(now, hasReducedMotion || isStuck(item, now));
	const time = start === undefined ? safe`` : wholeDuration(now - start);
	return fitLine(
		[
			span(safe`${glyph} ${pad(time, Math.max(timeColumns, textWidth(time)))}  `, 'accent'),
			span(tool, 'dim'),
		],
		width,
	);
}

/** Items searched for the call that runs, from the newest on. */
const maxSearched = 20;

/** The tool that runs, with what it does if its call is loaded. */
function currentTool({activity}: SessionItem, items: readonly StreamItem[]) {
	const name = activity?.tool;
	if (name === undefined) return undefined;
	for (const {entry, messages} of items.slice(-maxSearched).reverse()) {
		if (entry.kind === 'gap') break;
		const paired = messages ?? [createToolPairing().add(entry.message).paired];
		const call = paired.flatMap(message => openCallOf(message, name)).at(-1);
		if (call !== undefined) return call;
	}
	return cleanLine(name, 60);
}
