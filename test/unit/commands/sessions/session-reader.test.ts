import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import type {CommandContext} from '../../../../src/commands/cli/context.ts';
import {openSessionReader} from '../../../../src/commands/sessions/session-reader.ts';
import {openDatabase} from '../../../../src/db/open-database.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {knownSession, noon, signal} from '../../../support/fleet.ts';
import {listingModel} from '../../../support/listing-model.ts';
import {temporaryHookFolders} from '../../../support/temporary-hook-folders.ts';

test('a request that is too old to be trusted is unknown to a command that runs for long, too', async () => {
	const folders = temporaryHookFolders();
	onTestFinished(() => void vi.unstubAllEnvs());
	for (const [name, value] of Object.entries(folders.env)) vi.stubEnv(name, value);
	const clock = fakeClock(noon);
	const database = openDatabase({file: join(folders.root, 'kept.db'), now: clock.now});
	database.sessions.put(knownSession('s', {origin: 'hook'}));
	database.events.putSignal(signal('s', 'needs-permission'));
	const {service} = listingModel({clock, pages: 'tail', latency: 5});
	const ending = new AbortController();
	const config = {mode: 'remote', unreadNeedsYou: true, statusProbe: 'manual'};
	const context = {
		clock,
		output: {note: () => {}},
		signal: ending.signal,
		wiring: async () => ({config, connect: async () => service, database: async () => database}),
	} as unknown as CommandContext;
	const states: unknown[] = [];
	const reader = await openSessionReader(context, {
		ids: [],
		onChange: items => states.push(items.get('s')?.state),
	});
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
