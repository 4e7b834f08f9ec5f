import {maskText} from '../../domain/masking.ts';
import type {SessionItem} from '../../state/sessions/session-items.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {dateTime} from '../../text/values/times.ts';
import type {CommandContext} from '../cli/context.ts';
import type {ExitCode} from '../cli/errors.ts';
import {withTimeout} from '../cli/with-timeout.ts';
import type {Output} from '../output/output.ts';
import {openSessionReader} from './session-reader.ts';
import {itemJson, lastWords, type SessionItems, stateName} from './session-states.ts';
import {strings} from './strings.ts';

/**
 * Prints a line for each change of a session's state, title, last words or number of unread messages, compared
 * with what `sessions list` would have printed at the start.
 */
export const watchSessions = (context: CommandContext): Promise<ExitCode> =>
	withTimeout(context, watch, seconds => strings.watchEnded(seconds));

async function watch(context: CommandContext): Promise<ExitCode> {
	const {args, output, clock} = context;
	const ids = new Set(args);
	const printed = new Map<string, string>();
	const isWanted = ({id, isPast}: SessionItem) => (ids.size > 0 ? ids.has(id) : isPast !== true);
	const update = (items: SessionItems, print: (item: SessionItem) => void) => {
		for (const item of items.values()) {
			const shown = JSON.stringify([stateName(item), item.name, lastWords(item), item.activity?.unread]);
			if (!isWanted(item) || printed.get(item.id) === shown) continue;
			printed.set(item.id, shown);
			print(item);
		}
	};
	const reader = await openSessionReader(context, {
		ids: args,
		onChange: items => update(items, item => printItem(output, item, clock.now())),
	});
	update(reader.items(), () => {});
	return reader.run(new Promise<never>(() => {}));
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
		pad(cleanLine(waitedFor?.state ?? stateName(item)), stateWidth),
		cleanLine(maskText(item.name), maxTitleLength),
		cleanLine(lastWords(item) ?? ''),
	];
	output.line(columns.filter(text => text !== '').reduce((line, column) => safe`${line}  ${column}`));
}

const stateWidth = 9;
const maxTitleLength = 60;
