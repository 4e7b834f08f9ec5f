import {discard, type Outbox, type OutboxRefusal, resend} from '../../actions/messages.ts';
import type {Database} from '../../db/database.ts';
import {isStarting} from '../../domain/known.ts';
import {
	blockerOf,
	deliver,
	isDelivered,
	isUnderWay,
	type OutboxItem,
} from '../../domain/messages/delivery.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {age} from '../../text/values/times.ts';
import type {CommandContext, CommandRun} from '../cli/context.ts';
import {type ExitCode, exitCodeOf, exitCodes, NothingFoundError} from '../cli/errors.ts';
import {CommandRegistry} from '../cli/registry.ts';
import {showSaved, wholeDatabase, writableDatabase} from '../cli/require-storage.ts';
import {cliStrings} from '../cli/strings.ts';
import {outboxJson} from '../output/json-output.ts';
import {printResult} from '../output/output.ts';
import {limitOf, printList, type RowFormat} from '../output/print-rows.ts';
import {type DeliveryResult, deliverMessages, deliveryError} from './deliver.ts';
import {nameProcess} from './post-message.ts';
import {strings} from './strings.ts';
import {createWaitNotice, timeoutOf} from './wait-notice.ts';

const {outbox: text} = strings;

/** The outbox message's state doesn't allow this operation. */
class WrongStateError extends Error {
	override readonly name = 'WrongStateError';
}

export const outbox = {
	async list(context) {
		const {flags} = context;
		const limit = limitOf(context);
		const database = await wholeDatabase(context);
		const sessionId = flags.text('session');
		const items = database.outbox
			.all()
			.filter(
				item =>
					(sessionId === undefined || item.sessionId === sessionId) &&
					(flags.is('all') || !isDelivered(item)),
			)
			.slice(0, limit);
		return showSaved(context, items.length === 0, async () => {
			if (items.length === 0 && sessionId !== undefined) requireSession(database, sessionId);
			await showItems(context, items);
		});
	},

	async resend(context) {
		const [id = ''] = context.args;
		const timeout = timeoutOf(context.flags);
		const database = await writableDatabase(context);
		const item = database.outbox.exclusively(() => {
			const refusal = resend(outboxOnDisk(database), database.outbox.get(id));
			if (refusal) throw refused(refusal, id);
			return requireItem(database, id);
		});
		return awaitDelivery(context, database, [item], {timeout, awaitsLookup: false});
	},

	async discard(context) {
		const [id = ''] = context.args;
		const database = await writableDatabase(context);
		const item = database.outbox.exclusively(() => discard(outboxOnDisk(database), database.outbox.get(id)));
		if (typeof item === 'string') throw refused(item, id, text.cannotDiscard);
		await printResult(context, text.discarded(item.id), () => showItems(context, [item]));
		return exitCodes.done;
	},

	async wait(context) {
		const [id] = context.args;
		const timeout = timeoutOf(context.flags);
		const database = await wholeDatabase(context);
		// Those that failed need the user: without them, it would end as if all had been delivered.
		const items =
			id === undefined
				? database.outbox.all().filter(item => !isDelivered(item))
				: [requireItem(database, id)];
		if (items.length > 0) return awaitDelivery(context, database, items, {timeout, awaitsLookup: true});
		return showSaved(context, true, async () => context.output.note(text.none));
	},
} satisfies Record<string, CommandRun>;

/** Sends and waits, prints each message's result, and returns or throws the worst one. */
async function awaitDelivery(
	context: CommandContext,
	database: Database,
	items: readonly OutboxItem[],
	{timeout, awaitsLookup}: {timeout: number; awaitsLookup: boolean},
): Promise<ExitCode> {
	const {wiring, system, clock, signal} = context;
	const isOpen = items.some(item => item.state === 'queued' || isUnderWay(item));
	let results: readonly DeliveryResult[] = items.map(item => ({item}));
	if (isOpen) {
		const service = await (await wiring()).connect();
		const registry = new CommandRegistry(database, context);
		const notice = createWaitNotice(context);
		try {
			results = await deliverMessages(items, {
				service,
				database,
				clock,
				signal,
				owner: nameProcess(system.pid),
				timeout,
				awaitsLookup,
				isStarting: ({sessionId}) => isStarting(registry.session(sessionId), clock.now()),
				onWait: notice.show,
			});
		} finally {
			notice.end();
		}
	}
	const after = results.map(({item}) => item);
	const states = after.map(({id, state}) => text.state(id, state)).join(', ');
	await printResult(context, states, () => showItems(context, after));
	const errors = results.flatMap(result => deliveryError(result, database.problem) ?? []);
	// Errors that need user action outrank those that only need time.
	const worst = errors.toSorted((a, b) => severity(exitCodeOf(b)) - severity(exitCodeOf(a)))[0];
	if (worst) throw worst;
	return exitCodes.done;
}

function severity(code: ExitCode): number {
	const order: readonly ExitCode[] = [
		exitCodes.queued,
		exitCodes.unknown,
		exitCodes.notFound,
		exitCodes.usage,
		exitCodes.refused,
		exitCodes.unauthorized,
		exitCodes.interrupted,
	];
	return order.indexOf(code);
}

function requireSession({sessions, outbox}: Database, id: string): void {
	if (!sessions.get(id) && outbox.ofSession(id).length === 0)
		throw new NothingFoundError(cliStrings.registry.unknown('session', id));
}

function requireItem({outbox}: Database, id: string): OutboxItem {
	const item = outbox.get(id);
	if (!item) throw refused('gone', id);
	return item;
}

/** Changes the rows only: `awaitDelivery` sends queued messages. */
export function outboxOnDisk({outbox}: Database): Outbox {
	return {
		resend(id) {
			const item = outbox.get(id);
			if (item) outbox.put(deliver(item, {type: 'resend'}));
		},
		discard(id) {
			const item = outbox.get(id);
			outbox.remove(id);
			return item;
		},
	};
}

function refused(refusal: OutboxRefusal, id: string, delivered = text.cannotResend): Error {
	if (refusal === 'gone') return new NothingFoundError(text.unknown(id));
	return new WrongStateError((refusal === 'sending' ? text.sending : delivered)(id));
}

async function showItems(context: CommandContext, items: readonly OutboxItem[]): Promise<void> {
	if (items.length > 0) await printList(context, outboxFormat(context.clock.now(), items), items);
	else context.output.note(text.none);
}

const outboxFormat = (now: number, items: readonly OutboxItem[]): RowFormat<OutboxItem> => ({
	objectOf: outboxJson,
	// The user's own text comes back as it was written.
	isMasked: true,
	columns: [
		{name: 'id', show: ({id}) => cleanLine(id)},
		{name: 'session', show: ({sessionId}) => cleanLine(sessionId)},
		{name: 'state', show: ({state}) => cleanLine(state)},
		{name: 'age', show: ({createdAt}) => age(now - createdAt)},
		{name: 'text', max: 40, show: ({text}) => cleanLine(text, 200)},
		{
			name: 'why',
			max: 60,
			show: item => cleanLine(blockerOf(item, items) ? text.behind : (item.problem ?? '-'), 200),
		},
	],
});
