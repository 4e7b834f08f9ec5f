import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import type {CommandContext} from '../../../../src/commands/cli/context.ts';
import {createOutput} from '../../../../src/commands/output/output.ts';
import {sessions} from '../../../../src/commands/sessions/sessions.ts';
import {openDatabase} from '../../../../src/db/open-database.ts';
import type {KnownSession} from '../../../../src/domain/known.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {activity, knownComputer, knownSession, noon, signal} from '../../../support/fleet.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

const working = activity({state: 'working', evidence: 'user-message', unread: 0});

/** What `sessions list` prints so long after noon, ms, of sessions that were saved until then. */
function listed(known: readonly KnownSession[]) {
	const clock = fakeClock(noon);
	const database = openDatabase({file: join(temporaryFolder(), 'kept.db'), now: clock.now});
	onTestFinished(() => database.close());
	for (const one of known) database.sessions.put(one);
	const print = async (after: number, isJson = false) => {
		let printed = '';
		const stream = {
			isTTY: false,
			write(text: string, onWritten?: () => void) {
				printed += text;
				onWritten?.();
			},
		};
		const context = {
			clock: {...clock, now: () => noon + after},
			output: createOutput(isJson, {stdout: stream, stderr: stream}),
			flags: {is: () => false, count: () => undefined, text: () => undefined, list: () => []},
			signal: new AbortController().signal,
			wiring: async () => ({
				config: {unreadNeedsYou: true},
				account: async () => ({}),
				database: async () => database,
			}),
		} as unknown as CommandContext;
		await sessions.list(context);
		return printed;
	};
	return {database, print};
}

test('shows a working session as working? a minute after it was last read, unless hooks report it', async () => {
	const install = {
		name: 'install',
		status: 'running',
		startedAt: noon - 60_000,
		installSessionId: 's-install',
	};
	const {database, print} = listed([
		knownSession('s-messages', {activity: working}),
		knownSession('s-status', {status: {value: 'pending', source: 'posted', at: noon}}),
		knownSession('s-idle', {status: {value: 'idle', source: 'updated', at: noon}, wasEmpty: true}),
		knownSession('s-install'),
		knownSession('s-hook', {origin: 'hook'}),
	]);
	database.computers.put({...knownComputer('c', {provisioningSteps: [install]}), fetchedAt: noon});
	database.events.putSignal(signal('s-hook', 'working'));
	const fresh = await print(60_000);
	expect(fresh).toMatch(/s-messages .*working +1m ago/);
	expect(fresh).toMatch(/s-install .*working +2m ago/);
	const old = await print(103_000);
	expect(old).toMatch(/s-messages .*working\? +1m ago/);
	expect(old).toMatch(/s-status .*working\? +1m ago/);
	expect(old).toMatch(/s-install .*working\? +2m ago/);
	expect(old).toMatch(/s-idle .*idle +1m ago/);
	// Its client tells at once when it stops.
	expect(old).toMatch(/s-hook .*working +1m ago/);
	const [first] = (await print(103_000, true)).split('\n').map(line => JSON.parse(line || '{}'));
	expect(first.quarterdeck).toMatchObject({state: 'working', knownAt: noon});
});

test('shows the number of messages at the service or stored, with a plus if there may be more', async () => {
	const session = (messageCount: number) => ({session: {sessionId: 's', messageCount}, fetchedAt: noon - 1});
	const {database, print} = listed([
		knownSession('s-unknown'),
		knownSession('s-counted', session(4)),
		knownSession('s-begun', {...session(0), activity: working}),
		knownSession('s-stored', {...session(2), activity: working}),
		knownSession('s-whole', {...session(0), activity: working}),
		knownSession('s-cut', {...session(0), activity: working}),
	]);
	const messages = [1, 2, 3].map(index => ({message: {id: `m${index}`, createdAt: noon + index}}));
	for (const id of ['s-stored', 's-whole', 's-cut']) database.messages.put(id, messages);
	database.messages.setListingState('s-whole', {isComplete: true});
	database.messages.setListingState('s-cut', {isComplete: true, isCutShort: true});
	const rows = (await print(0)).trimEnd().split('\n');
	const start = rows[0]?.indexOf('MESSAGES') ?? 0;
	const counts = rows.slice(1).map(row => row.slice(start, start + 'MESSAGES'.length).trim());
	expect(counts).toEqual(['1+', '4', '3+', '3+', '-', '3']);
});

test('shows a computer by name, if its name is known', async () => {
	const {database, print} = listed([
		knownSession('s-named', {computerId: 'c-named'}),
		knownSession('s-other', {computerId: 'c-unknown'}),
	]);
	database.computers.put(knownComputer('c-named', {name: 'build-box'}));
	const rows = (await print(0)).split('\n');
	expect(rows.find(row => row.includes('s-named'))).toContain('build-box');
	expect(rows.find(row => row.includes('s-named'))).not.toContain('c-named');
	expect(rows.find(row => row.includes('s-other'))).toContain('c-unknown');
	expect(await print(0, true)).toContain('c-named');
});

test('calls an archived session archived, as the screen does', async () => {
	const {print} = listed([
		knownSession('s', {session: {sessionId: 's', sessionSettings: {archivedAt: '2026-05-01T10:00:00Z'}}}),
	]);
	expect(await print(0)).toMatch(/^s .*archived/m);
	expect(JSON.parse(await print(0, true))).toMatchObject({quarterdeck: {state: 'archived'}});
});
