import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import type {CommandContext} from '../../../../src/commands/cli/context.ts';
import {openSessionReader} from '../../../../src/commands/sessions/session-reader.ts';
import type {SessionItems} from '../../../../src/commands/sessions/session-states.ts';
import {openDatabase} from '../../../../src/db/open-database.ts';
import type {KnownSession} from '../../../../src/domain/known.ts';
import {newOutboxItem} from '../../../../src/domain/messages/delivery.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {knownSession, noon, signal} from '../../../support/fleet.ts';
import {listingModel} from '../../../support/listing-model.ts';
import {temporaryHookFolders} from '../../../support/temporary-hook-folders.ts';

/** A command's reader over a database with one session, in hook folders of its own. */
function readerOf(known: KnownSession, onChange: (items: SessionItems) => void = () => {}) {
	const folders = temporaryHookFolders();
	onTestFinished(() => void vi.unstubAllEnvs());
	for (const [name, value] of Object.entries(folders.env)) vi.stubEnv(name, value);
	const clock = fakeClock(noon);
	const database = openDatabase({file: join(folders.root, 'kept.db'), now: clock.now});
	database.sessions.put(known);
	const model = listingModel({clock, pages: 'newest-first', latency: 5, isLive: true});
	const config = {mode: 'remote', unreadNeedsYou: true, statusProbe: 'manual', pollBudget: 2};
	const context = {
		clock,
		output: {note: () => {}},
		signal: new AbortController().signal,
		wiring: async () => ({config, connect: async () => model.service, database: async () => database}),
	} as unknown as CommandContext;
	const open = () => openSessionReader(context, {ids: [], onChange});
	return {clock, database, model, open};
}

test('a request becomes unknown once it is too old, even while a command keeps running', async () => {
	const states: unknown[] = [];
	const {clock, database, open} = readerOf(knownSession('s', {origin: 'hook'}), items =>
		states.push(items.get('s')?.state),
	);
	database.events.putSignal(signal('s', 'needs-permission'));
	const reader = await open();
	const done = Promise.withResolvers<void>();
	const run = reader.run(done.promise);
	await clock.advance(3 * 3_600_000);
	expect(reader.items().get('s')?.state).toBe('permission');
	await clock.advance(2 * 3_600_000);
	expect(reader.items().get('s')?.state).toBe('unknown');
	expect(states.at(-1)).toBe('unknown');
	done.resolve();
	await run;
	expect(clock.pending).toBe(0);
	database.close();
});

test("an install's session follows its step, which the command reads, too; it sends nothing", async () => {
	const {clock, database, model, open} = readerOf(knownSession('s', {origin: 'install-step'}));
	const step = (status: string) => {
		const provisioningSteps = [{name: 'install', status, installSessionId: 's'}];
		model.computers.set('c', {id: 'c', name: 'box', status: 'provisioning', provisioningSteps});
	};
	step('in_progress');
	const computer = model.computers.get('c');
	database.computers.put({id: 'c', origin: 'added', addedAt: noon, ...(computer && {computer})});
	model.add('s', 1, 'tool');
	database.outbox.put(newOutboxItem('s', {text: 'later'}, {accountId: undefined, createdAt: noon}));
	const reader = await open();
	const done = Promise.withResolvers<void>();
	const run = reader.run(done.promise);
	await clock.advance(600_000);
	expect(reader.items().get('s')?.state).toBe('working');
	step('completed');
	await clock.advance(15_000);
	expect(reader.items().get('s')?.state).toBe('idle');
	expect(database.outbox.ofSession('s').map(({state}) => state)).toEqual(['queued']);
	done.resolve();
	await run;
	expect(clock.pending).toBe(0);
	database.close();
});
