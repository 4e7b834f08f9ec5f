import {delay} from '../../api/http/timing.ts';
import type {Database} from '../../db/database.ts';
import type {SessionItem} from '../../state/sessions/session-items.ts';
import {stateName, stateNames} from '../../state/sessions/session-look.ts';
import {isUnsure} from '../../state/sessions/session-state.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, exitCodes, UsageError} from '../cli/errors.ts';
import {withTimeout} from '../cli/interrupts.ts';
import {cliStrings} from '../cli/strings.ts';
import {openSessionReader} from './session-reader.ts';
import {printItem} from './sessions-watch.ts';
import {strings} from './strings.ts';

const conditions = [...stateNames, 'waiting'] as const;
type Condition = (typeof conditions)[number];

/** Interval of the reads, ms: `min` after a change, growing to `max` in silence. */
const readInterval = {min: 1000, max: 5000};
/** Maximum time that the service may take to list a message it has accepted, ms. */
const maxLag = 120_000;

/**
 * Waits until a session is in one of the states of `--for`, as read from the service, and prints it. Exits with `assumed`
 * if only silence shows that its turn is over.
 */
export async function waitForSession(context: CommandContext): Promise<ExitCode> {
	const wanted = conditionsOf(context.flags.text('for') ?? 'waiting');
	const [id = ''] = context.args;
	let state: string | undefined;
	const onState = (name: string) => {
		state = name;
	};
	return withTimeout(
		context,
		limited => wait(limited, id, wanted, onState),
		seconds => strings.notReached(id, wanted.join(', '), seconds, state),
	);
}

function conditionsOf(list: string): readonly Condition[] {
	return list.split(',').map(word => {
		const condition = conditions.find(name => name === word.trim());
		if (condition) return condition;
		throw new UsageError(cliStrings.usage.wrongValue('--for', list, strings.states(conditions)));
	});
}

async function wait(
	context: CommandContext,
	id: string,
	wanted: readonly Condition[],
	onState: (name: string) => void,
): Promise<ExitCode> {
	const {clock, output} = context;
	let isQueueNoted = false;
	const {item, met} = await readUntil(context, id, (item, database) => {
		const unanswered = unansweredMessage(database, id, clock.now());
		if (unanswered === 'queued' && !isQueueNoted) output.note(strings.queued);
		isQueueNoted ||= unanswered === 'queued';
		const isWorking = unanswered !== undefined || stateName(item) === 'working';
		onState(isWorking ? 'working' : stateName(item));
		const met = isWorking ? ['working'] : conditionsMet(item);
		if (!wanted.some(condition => met.includes(condition))) return undefined;
		return {item: isWorking ? {...item, state: 'working' as const, group: 'working' as const} : item, met};
	});
	printItem(output, item, clock.now(), waitedFor(wanted, met));
	if (!isUnsure(item, clock.now())) return exitCodes.done;
	output.note(cliStrings.run.assumed);
	return exitCodes.assumed;
}

/** Reads a session, and returns the first result that `check` has for what is known of it. `hasAnswered`: the service, just now. */
export async function readUntil<T extends object>(
	context: CommandContext,
	id: string,
	check: (item: SessionItem, database: Database) => T | undefined,
	hasAnswered = false,
): Promise<T> {
	const reached = Promise.withResolvers<T>();
	let [isRead, isFailing] = [false, false];
	let interval = readInterval.min;
	const checkNow = () => {
		const item = isRead && reader.items().get(id);
		const result = item && check(item, reader.database);
		if (result) reached.resolve(result);
	};
	const reader = await openSessionReader(context, {
		ids: [id],
		isWaiting: true,
		hasAnswered,
		onRead() {
			[isRead, isFailing] = [true, false];
			checkNow();
		},
		onFailure() {
			isFailing = true;
		},
		onChange() {
			interval = readInterval.min;
			checkNow();
		},
	});
	const ending = new AbortController();
	const stop = AbortSignal.any([context.signal, ending.signal]);
	const keepReading = async () => {
		for (;;) {
			await delay(context.clock, interval, stop);
			interval = Math.min(interval * 1.3, readInterval.max);
			// After a failure, the watcher decides when to read again.
			if (!isFailing) reader.kick(id);
		}
	};
	keepReading().catch(() => undefined);
	try {
		return await reader.run(reached.promise);
	} finally {
		ending.abort();
	}
}

/** The conditions that an idle session meets. A turn is over even if its end was read on a screen meanwhile. */
export function conditionsMet(item: SessionItem): readonly string[] {
	const name = stateName(item);
	const states = [name, ...turnStates(item, name)];
	const isTurnOver = states.some(state => ['done', 'asks', 'failed', 'ended', 'archived'].includes(state));
	return item.group === 'needs' || isTurnOver ? [...states, 'waiting'] : states;
}

/** The first wanted condition that is met, and the state that meets it; for `waiting`, how the turn ended. */
export function waitedFor(wanted: readonly string[], met: readonly string[]) {
	const condition = met.find(condition => wanted.includes(condition)) ?? 'waiting';
	const state =
		condition === 'waiting' ? met.find(state => state !== 'waiting' && state !== 'idle') : condition;
	return {condition, state: state ?? 'idle'};
}

/** The states of the turn by its messages, where the session's state hides it. */
function turnStates({activity, isSettled}: SessionItem, name: string): readonly string[] {
	// Scripts that wait for the agent to be at rest needn't know whether it asked.
	if (name === 'asks' && isSettled) return ['idle'];
	if (name === 'unsent') return activity ? [activity.state] : [];
	if (name !== 'idle') return [];
	return [activity === undefined || activity.state === 'working' ? 'done' : activity.state];
}

/** Whether a message of ours can't have an answer yet: it waits in the outbox, or the service doesn't list it yet. */
function unansweredMessage(
	{outbox, messages}: Database,
	sessionId: string,
	now: number,
): 'queued' | 'unlisted' | undefined {
	const items = outbox.ofSession(sessionId);
	if (items.some(({state}) => state === 'queued' || state === 'sending')) return 'queued';
	const newest = items.findLast(({state}) => state === 'accepted');
	if (newest?.messageId === undefined || Math.abs(now - (newest.sentAt ?? 0)) > maxLag) return undefined;
	return messages.from(sessionId, 1, newest.messageId).length === 0 ? 'unlisted' : undefined;
}
