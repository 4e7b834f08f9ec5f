import {maskText} from '../../domain/masking.ts';
import type {SessionItem} from '../../state/sessions/session-items.ts';
import {shownState, stateName} from '../../state/sessions/session-look.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {dateTime} from '../../text/values/times.ts';
import type {CommandContext} from '../cli/context.ts';
import type {ExitCode} from '../cli/errors.ts';
import {withTimeout} from '../cli/interrupts.ts';
import type {Output} from '../output/output.ts';
import {openSessionReader} from './session-reader.ts';
import {itemJson, lastWords, type SessionItems} from './session-states.ts';
import {strings} from './strings.ts';

/**
 * Prints a line for each change of a session's state, title, last words or number of unread messages. Only those that
 * happened after the start: what the first read of a session finds may have been there for long.
 */
export const watchSessions = (context: CommandContext): Promise<ExitCode> =>
	withTimeout(context, watch, seconds => strings.watchEnded(seconds));

async function watch(context: CommandContext): Promise<ExitCode> {
	const {args, output, clock} = context;
	const ids = new Set(args);
	const printed = new Map<string, string>();
	const startedAt = clock.now();
	const read = new Set<string>();
	const isWanted = ({id, isPast}: SessionItem) => (ids.size > 0 ? ids.has(id) : isPast !== true);
	const update = (items: SessionItems, print: (item: SessionItem) => void) => {
		for (const item of items.values()) {
			const {activity, known, isAssumed} = item;
			// The first words of a session are found late, but are no change.
			const title = known?.name ?? known?.session?.title;
			const shown = JSON.stringify([stateName(item), isAssumed, title, lastWords(item), activity?.unread]);
			if (!isWanted(item) || printed.get(item.id) === shown) continue;
			printed.set(item.id, shown);
			if (read.has(item.id) || happenedAt(item, reader.skew()) > startedAt) print(item);
		}
	};
	const reader = await openSessionReader(context, {
		ids: args,
		onRead: id => void read.add(id),
		onChange: items => update(items, item => printItem(output, item, clock.now())),
	});
	update(reader.items(), () => {});
	return reader.run(new Promise<never>(() => {}));
}

/** When what a session's state is derived from happened, Unix ms by this machine's clock. */
function happenedAt({activity, signal, known}: SessionItem, skew = 0): number {
	return Math.max((activity?.at ?? 0) - skew, signal?.lastEventAt ?? 0, known?.addedAt ?? 0);
}

/**
 * Prints a session with the time `now`, Unix ms. `waitedFor`: the condition that `sessions wait` was waiting for and the
 * state that met it. The line names that state: the session itself may be `idle` if the answer was read meanwhile.
 */
export function printItem(
	output: Output,
	item: SessionItem,
	now: number,
	waitedFor?: {readonly condition: string; readonly state: string},
): void {
	if (output.isJson) {
		const met = waitedFor && {met: waitedFor.condition};
		if (item.known) output.json(itemJson(item.known, item, {at: now, ...met}));
		return;
	}
	const columns: readonly Safe[] = [
		dateTime(now),
		cleanLine(item.id),
		pad(cleanLine(waitedFor?.state ?? shownState(item, now)), stateWidth),
		cleanLine(maskText(item.name), maxTitleLength),
		cleanLine(lastWords(item) ?? ''),
	];
	output.line(columns.filter(text => text !== '').reduce((line, column) => safe`${line}  ${column}`));
}

const stateWidth = 9;
const maxTitleLength = 60;
