import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {savedItems} from '../../../src/commands/sessions/session-states.ts';
import {openDatabase} from '../../../src/db/open-database.ts';
import type {HookEvent} from '../../../src/domain/sessions/signal.ts';
import {createConnectionStore} from '../../../src/state/connection.ts';
import {createFleetStore} from '../../../src/state/fleet.ts';
import {type SessionItem, sessionItems} from '../../../src/state/sessions/session-items.ts';
import {isUnsure} from '../../../src/state/sessions/session-state.ts';
import {createStores} from '../../../src/state/stores.ts';
import {createSafeWrite} from '../../../src/sync/core/safe-write.ts';
import {Engine} from '../../../src/sync/engine.ts';
import {Registry} from '../../../src/sync/fleet/registry.ts';
import {HookInbox} from '../../../src/sync/hooks/hook-inbox.ts';
import {type FakeClock, fakeClock, settle} from '../../support/fake-clock.ts';
import {hookEvent} from '../../support/hook-event.ts';
import {type ListingModel, listingModel} from '../../support/listing-model.ts';
import {temporaryFolder} from '../../support/local-service.ts';
import {times} from '../../support/random-cases.ts';

const second = 1000;

/** A screen over the state folder that all of the test share. */
async function openScreen(file: string, clock: FakeClock, model: ListingModel, owner: string) {
	const database = openDatabase({file, now: clock.now});
	const stores = createStores();
	const engine = new Engine({
		service: model.service,
		database,
		stores,
		clock,
		owner,
		hooks: 'off',
		requestsPerSecond: 2,
		random: () => 0.5,
	});
	await engine.start();
	onTestFinished(async () => {
		await engine.stop();
		database.close();
	});
	return {
		engine,
		items: () => sessionItems(stores.fleet.getState(), stores.outbox.getState()),
		/** What a write of another program sets off within a second. */
		notice: () => engine.setTerminalFocused(true),
	};
}

/** A third program, which receives the hook events. */
function openInbox(file: string, clock: FakeClock) {
	const database = openDatabase({file, now: clock.now});
	onTestFinished(() => database.close());
	const safeWrite = createSafeWrite(database, createConnectionStore(), clock);
	const registry = new Registry(database, createFleetStore(), safeWrite, clock);
	registry.load();
	const inbox = new HookInbox({database, registry, clock, onUpdate() {}, onStored() {}});
	return {database, give: (event: HookEvent) => inbox.store([event])};
}

/** Numbers from 0 to 1, the same in every run. */
function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return state / 2_147_483_648;
	};
}

test(
	'two screens and a command show the same states, while forty sessions change',
	async () => {
		const file = join(temporaryFolder(), 'kept.db');
		const clock = fakeClock();
		const model = listingModel({clock, pages: 'newest-first', latency: 20, isLive: true});
		const ids = Array.from({length: 40}, (_, index) => `s${index}`);
		for (const id of ids) model.add(id, 2, 'user');
		const one = await openScreen(file, clock, model, 'one');
		for (const id of ids) one.engine.registry.addSession(id, 'added');
		const two = await openScreen(file, clock, model, 'two');
		const inbox = openInbox(file, clock);
		one.engine.sessions.open('s0');
		two.engine.sessions.open('s1');
		const random = randomNumbers(7);
		const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;

		const act = async (id: string) => {
			const kind = random();
			if (kind < 0.35) model.add(id, 1, 'assistant');
			else if (kind < 0.45) model.add(id, 1, 'tool');
			else if (kind < 0.55) model.add(id, 1, 'user');
			else if (kind < 0.65) model.running.add(id);
			else if (kind < 0.75) model.running.delete(id);
			else if (kind < 0.85) await pick([one, two]).engine.outbox.enqueue(id, {text: 'Go on'});
			else {
				const event = pick(['UserPromptSubmit', 'Stop', 'Notification', 'PermissionRequest']);
				const more = event === 'Notification' ? {notification_type: 'permission_prompt'} : {};
				inbox.give(hookEvent({event, ts: clock.now(), data: {session_id: id, ...more}}));
			}
		};
		const shown = (items: Iterable<SessionItem>) =>
			Object.fromEntries(
				[...items]
					.map(item => [item.id, `${item.state}${isUnsure(item, clock.now()) ? '?' : ''}`] as const)
					.sort(([a], [b]) => (a < b ? -1 : 1)),
			);
		/** The states in each program, once all have noticed what the others wrote: within two seconds. */
		const agreed = async () => {
			for (let tries = 0; ; tries++) {
				const saved = savedItems({database: inbox.database, unreadNeedsYou: true, now: clock.now()});
				const states = [saved.values(), one.items(), two.items()].map(shown);
				const texts = new Set(states.map(state => JSON.stringify(state)));
				if (texts.size === 1 || tries === 3) return states;
				await clock.advance((2 / 3) * second);
				await settle();
				for (const screen of [one, two]) screen.notice();
			}
		};
		const seen = new Set<string>();
		for (let step = 0; step < 240 * times; step++) {
			for (let count = Math.floor(random() * 3); count > 0; count--) await act(pick(ids));
			await clock.advance(3 * second);
			const [first, ...others] = await agreed();
			for (const other of others) expect([step, other]).toEqual([step, first]);
			for (const state of Object.values(first ?? {})) seen.add(state);
		}
		expect([...seen].sort()).toEqual(expect.arrayContaining(['done', 'permission', 'working', 'done']));
	},
	120_000 * times,
);
