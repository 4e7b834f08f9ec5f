import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openDatabase} from '../../../../src/db/open-database.ts';
import type {Computer} from '../../../../src/domain/computers/computer.ts';
import {createFleetStore} from '../../../../src/state/fleet.ts';
import {Registry} from '../../../../src/sync/fleet/registry.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {signal} from '../../../support/fleet.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

test("on the first frame, a request from a minute ago needs the user, one from a day ago doesn't", () => {
	const clock = fakeClock();
	const database = openDatabase({file: join(temporaryFolder(), 'kept.db')});
	onTestFinished(() => database.close());
	const ago = (minutes: number) => ({
		since: clock.now() - minutes * 60_000,
		lastEventAt: clock.now() - minutes * 60_000,
	});
	database.events.putSignal(signal('old', 'needs-permission', ago(24 * 60)));
	database.events.putSignal(signal('new', 'needs-permission', ago(1)));
	const fleet = createFleetStore();
	new Registry(database, fleet, write => write(), clock).load();
	const states = [...fleet.getState().signals.values()].map(({sessionId, state}) => [sessionId, state]);
	expect(states.toSorted()).toEqual([
		['new', 'needs-permission'],
		['old', 'unknown'],
	]);
});

test('what another program forgets leaves the fleet, and no later write brings it back', () => {
	const clock = fakeClock();
	const file = join(temporaryFolder(), 'kept.db');
	const database = openDatabase({file});
	const other = openDatabase({file});
	onTestFinished(() => [database, other].forEach(one => void one.close()));
	const fleet = createFleetStore();
	const registry = new Registry(database, fleet, write => write(), clock);
	registry.load();
	const computer = (id: string) => ({id, name: id, status: 'active'}) as Computer;
	for (const id of ['c-kept', 'c-gone']) registry.recordComputer(computer(id), 'added');
	for (const id of ['s-kept', 's-gone']) registry.addSession(id, 'added');
	other.computers.remove('c-gone');
	other.sessions.remove('s-gone');
	// Answers that were on their way when they were forgotten.
	registry.recordComputer(computer('c-gone'), 'added');
	registry.setSubject('s-gone', 'words');
	expect(other.computers.all().map(({id}) => id)).toEqual(['c-kept']);
	expect(other.sessions.all().map(({id}) => id)).toEqual(['s-kept']);
	expect(registry.readPeerWrites()).toEqual({
		computers: [],
		forgottenComputers: ['c-gone'],
		forgottenSessions: ['s-gone'],
	});
	expect([...fleet.getState().computers.keys()]).toEqual(['c-kept']);
	expect([...fleet.getState().sessions.keys()]).toEqual(['s-kept']);
	registry.addSession('s-gone', 'added');
	expect(other.sessions.all().map(({id}) => id)).toContain('s-gone');
});

test('a forgotten session is gone with its signal, in all programs, until its next event', () => {
	const clock = fakeClock();
	const file = join(temporaryFolder(), 'kept.db');
	const databases = [openDatabase({file}), openDatabase({file})] as const;
	onTestFinished(() => databases.forEach(one => void one.close()));
	const open = (database: (typeof databases)[number]) => {
		const fleet = createFleetStore();
		const registry = new Registry(database, fleet, write => write(), clock);
		registry.load();
		return {fleet, registry};
	};
	const first = open(databases[0]);
	first.registry.addSession('s', 'hook', {cwd: '/srv'});
	first.registry.putSignal(signal('s', 'idle'));
	const other = open(databases[1]);
	first.registry.forgetSession('s');
	other.registry.readPeerWrites();
	for (const {fleet} of [first, other, open(databases[0])]) {
		expect(fleet.getState().sessions.size).toBe(0);
		expect(fleet.getState().signals.size).toBe(0);
	}
	first.registry.putSignal(signal('s', 'working'));
	expect(open(databases[1]).fleet.getState().signals.size).toBe(1);
});

test('a session that one account forgets keeps its signal in another', () => {
	const clock = fakeClock();
	const folder = temporaryFolder();
	const machine = openDatabase({file: join(folder, 'machine.db')});
	const files = ['one', 'two'].map(name => openDatabase({file: join(folder, `${name}.db`)}));
	onTestFinished(() => [machine, ...files].forEach(one => void one.close()));
	const [one, two] = files.map(account => () => {
		const fleet = createFleetStore();
		const registry = new Registry({...account, events: machine.events}, fleet, write => write(), clock);
		registry.load();
		return {fleet, registry};
	});
	one?.().registry.putSignal(signal('s', 'idle'));
	one?.().registry.forgetSession('s');
	expect(one?.().fleet.getState().signals.size).toBe(0);
	expect(two?.().fleet.getState().signals.size).toBe(1);
});

test('adds the sessions that an answer names in one update', () => {
	const database = openDatabase({file: join(temporaryFolder(), 'kept.db')});
	onTestFinished(() => database.close());
	const fleet = createFleetStore();
	const registry = new Registry(database, fleet, write => write(), fakeClock());
	registry.load();
	const ids = Array.from({length: 100}, (_, index) => `s${index}`);
	registry.addSession('s', 'added');
	registry.addComputer('c', 'added');
	let updates = 0;
	onTestFinished(fleet.subscribe(() => updates++));
	const childInclusiveTokenUsageBySessionId = Object.fromEntries(ids.map(id => [id, {}]));
	registry.recordSession({sessionId: 's', sessionSettings: {childInclusiveTokenUsageBySessionId}}, 'added');
	expect(updates).toBeLessThanOrEqual(2);
	registry.recordComputer(
		{id: 'c', provisioningSteps: ids.map(id => ({installSessionId: `i-${id}`}))},
		'added',
	);
	expect(updates).toBeLessThanOrEqual(4);
	expect(fleet.getState().sessions.size).toBe(201);
});
