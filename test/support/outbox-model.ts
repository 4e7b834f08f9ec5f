import assert from 'node:assert/strict';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {openDatabase} from '../../src/db/open-database.ts';
import type {OutboxItem} from '../../src/domain/messages/delivery.ts';
import {createOutboxStore} from '../../src/state/stores.ts';
import {OutboxSender} from '../../src/sync/outbox/outbox-sender.ts';
import {fakeClock, settle} from './fake-clock.ts';
import {modelService, type PostOutcome} from './post-service.ts';

const outcome = fc.constantFrom<PostOutcome>(
	...(['accepted', 'accepted', 'slow', 'lost', 'lost', 'vanished', 'broken'] as const),
	...(['refused', 'not-sent', 'rate-limited', 'unauthorized', 'forbidden'] as const),
);
const minute = 60_000;
const hour = 60 * minute;
const which = {session: fc.integer({min: 0, max: 1}), process: fc.integer({min: 0, max: 1})};
const step = fc.oneof(
	// Few different texts, so that the same words are on their way more than once.
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('enqueue' as const),
			text: fc.integer({min: 0, max: 2}),
			...which,
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({kind: fc.constant('pass' as const), ms: fc.constantFrom(100, 300, 2_000, 30_000)}),
	},
	{weight: 2, arbitrary: fc.record({kind: fc.constant('observe' as const), isKnown: fc.boolean(), ...which})},
	{weight: 1, arbitrary: fc.record({kind: fc.constantFrom<'resume' | 'crash'>('resume', 'crash'), ...which})},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('setClock' as const),
			by: fc.constantFrom(-hour, -minute, -2_000, 2_000, minute, hour),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constantFrom<'resend' | 'discard'>('resend', 'discard'),
			row: fc.nat(20),
			...which,
		}),
	},
);

/**
 * Property: with two processes over one database, a service that fails in every way, a user who writes, resends and
 * discards, crashes, and a clock that jumps back and forth, nothing is lost, nothing is posted twice unasked, order is
 * kept, and every row ends in a true state. Calls `onSteps` with the number of steps of each run.
 */
export function outboxModel(onSteps: (count: number) => void = () => {}) {
	return fc.asyncProperty(
		fc.array(step, {minLength: 5, maxLength: 25}),
		fc.array(outcome, {minLength: 10, maxLength: 10}),
		fc.constantFrom(0, 20_000),
		fc.boolean(),
		fc.boolean(),
		async (steps, outcomes, lag, isHeadFirst, isIdempotent) => {
			onSteps(steps.length);
			const folder = mkdtempSync(join(tmpdir(), 'outbox-model-'));
			const file = join(folder, 'kept.db');
			const clock = fakeClock();
			// The machine's clock, which somebody sets; time passes as it does, and the service has a clock of its own.
			let setBy = 0;
			const ours = {now: () => clock.now() + setBy, after: clock.after};
			const left = [...outcomes];
			const service = modelService(clock, {
				next: () => left.shift() ?? 'accepted',
				lag,
				isHeadFirst,
				isIdempotent,
			});
			let owners = 0;
			// A post of a dead process may still be at the service: those of the living are counted.
			let onTheWire: {sessionId: string; owner: string}[] = [];
			let maxConcurrent = 0;
			const remove = (isOver: (call: (typeof onTheWire)[number]) => boolean) => {
				onTheWire = onTheWire.filter(call => !isOver(call));
			};

			/** A process: its death leaves its calls without an owner and its leases to time. */
			function begin() {
				const database = openDatabase({file, now: ours.now});
				const owner = `process ${owners++}`;
				let isDead = false;
				// A dead process starts nothing more, hears no answer, and writes nothing.
				const alive = <T>(call: Promise<T>): Promise<T> =>
					new Promise((resolve, reject) => {
						call.then(
							value => !isDead && resolve(value),
							error => !isDead && reject(error),
						);
					});
				const sender = new OutboxSender({
					database,
					service: {
						messages: {
							isAddIdempotent: service.messages.isAddIdempotent,
							add(sessionId, draft, options) {
								onTheWire.push({sessionId, owner});
								const now = onTheWire.filter(call => call.sessionId === sessionId).length;
								maxConcurrent = Math.max(maxConcurrent, now);
								const call = service.messages.add(sessionId, draft, options);
								const ended = () => remove(call => call.sessionId === sessionId && call.owner === owner);
								call.then(ended, ended);
								return alive(call);
							},
							list: (...call) => alive(service.messages.list(...call)),
						},
					},
					store: createOutboxStore(),
					clock: {
						now: ours.now,
						after: (ms, run) => clock.after(ms, () => !isDead && run()),
					},
					owner,
					random: () => 0.5,
					skew: () => -setBy,
				});
				sender.start();
				const die = () => {
					isDead = true;
					remove(call => call.owner === owner);
					database.close();
				};
				return {database, sender, die};
			}

			const written = new Map<string, {session: string; text: string}>();
			const chosen = new Set<string>();
			const resent = new Set<string>();
			// The user gave a doubt up: what was posted with those words then may be taken for a later row of the same.
			const doubted = new Set<string>();
			const discarded = new Set<string>();
			const processes = [begin(), begin()];
			const at = (index: number) => processes[index] as ReturnType<typeof begin>;
			const session = (index: number) => `s${index}`;

			for (const action of steps) {
				if (action.kind === 'setClock') setBy += action.by;
				else if (action.kind === 'pass') await clock.advance(action.ms);
				else if (action.kind === 'enqueue') {
					const sent = await at(action.process).sender.enqueue(session(action.session), {
						text: `text ${action.text}`,
					});
					written.set(sent.id, {session: sent.sessionId, text: sent.text});
				} else if (action.kind === 'observe') {
					const messages = service.accepted(session(action.session));
					at(action.process).sender.observe(
						session(action.session),
						messages,
						action.isKnown ? new Map(messages.map(({id}) => [id, 'user'])) : undefined,
					);
				} else if (action.kind === 'resume') at(action.process).sender.resume();
				else if (action.kind === 'crash') {
					// Between two turns of its loop: within one nothing of the real one dies.
					await settle();
					at(action.process).die();
					processes[action.process] = begin();
				} else if ('row' in action) choose(at(action.process).sender, action.kind, action.row);
			}

			function choose(sender: OutboxSender, kind: 'resend' | 'discard', row: number): void {
				const rows = at(0).database.outbox.all();
				const item = rows[row % Math.max(1, rows.length)];
				if (!item) return;
				if (item.state === 'unconfirmed') doubted.add(`${item.sessionId} ${item.text}`);
				if (kind === 'resend') {
					if (item.state === 'unconfirmed') chosen.add(item.id);
					if (item.state !== 'queued') resent.add(item.id);
					sender.resend(item.id);
				} else if (sender.discard(item.id)) discarded.add(item.id);
			}

			// Trouble ends, and time passes: everything that can settle does.
			left.length = 0;
			await clock.advance(200_000);
			for (const {sender} of processes) sender.resume();
			await clock.advance(1_500_000);

			const rows = at(0).database.outbox.all();
			const kept = new Set(rows.map(row => row.id));
			assert.deepEqual(
				[...written.keys()].filter(id => !kept.has(id) && !discarded.has(id)),
				[],
			);
			// By a clock that is set a lease can end before its post: what was found in the listing by then holds nothing up.
			const isClockSet = steps.some(({kind}) => kind === 'setClock');
			assert.ok(isClockSet || maxConcurrent <= 1, `${maxConcurrent} posts of one session at once`);
			const ids = rows.flatMap(row => row.messageId ?? []);
			assert.equal(new Set(ids).size, ids.length);
			for (const row of rows) {
				assert.ok(['accepted', 'seen', 'unconfirmed', 'failed'].includes(row.state), row.state);
				assert.ok(!isIdempotent || row.state !== 'unconfirmed', 'nothing stays in doubt');
				assert.equal(row.lookUntil, undefined);
				assert.equal(row.text, written.get(row.id)?.text);
				if (row.state !== 'accepted' && row.state !== 'seen') assert.ok(row.problem);
			}
			for (const name of ['s0', 's1']) {
				const posts = service.accepted(name);
				const mine = [...written].filter(([, message]) => message.session === name);
				for (const text of new Set(mine.map(([, message]) => message.text))) {
					const same = mine.filter(([, message]) => message.text === text);
					const posted = posts.filter(post => post.content?.[0]?.text === text).length;
					const asked = same.filter(([id]) => chosen.has(id)).length;
					// A crash or a choice can leave a doubt; without a choice there is at most one post for each.
					if (isIdempotent || asked === 0)
						assert.ok(posted <= same.length, `${posted} posts of ${same.length}`);
					const delivered = rows.filter(
						row => row.sessionId === name && row.text === text && row.messageId !== undefined,
					);
					assert.ok(delivered.length <= posted, `${delivered.length} delivered, ${posted} posted`);
				}
				// Rows that nobody chose about were accepted in the order in which they were written. Two posts of the same
				// words that were on the wire at once, because a set clock ended a lease, can't be told apart.
				const order = new Map(posts.map((post, index) => [post.id, index]));
				const placeOf = (row: OutboxItem) => order.get(row.messageId ?? '') ?? -1;
				const settled = rows.filter(
					row =>
						row.sessionId === name &&
						!resent.has(row.id) &&
						!doubted.has(`${name} ${row.text}`) &&
						row.messageId !== undefined,
				);
				const inOrder = settled.toSorted((a, b) => placeOf(a) - placeOf(b));
				const identityOf = (row: OutboxItem) => (maxConcurrent > 1 ? row.text : placeOf(row));
				assert.deepEqual(settled.map(identityOf), inOrder.map(identityOf));
			}
			await clock.advance(0);
			const stops = processes.map(({sender}) => sender.stop());
			await clock.advance(200_000);
			await Promise.all(stops);
			for (const {die} of processes) die();
			rmSync(folder, {recursive: true});
		},
	);
}
