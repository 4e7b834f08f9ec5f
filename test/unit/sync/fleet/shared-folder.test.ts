import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openDatabase} from '../../../../src/db/open-database.ts';
import {createFleetStore} from '../../../../src/state/fleet.ts';
import {Registry} from '../../../../src/sync/fleet/registry.ts';
import {ActivityRecorder} from '../../../../src/sync/messages/activity-recorder.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

test('what is read about a folder from one session shows in all its sessions, and in no others', () => {
	const database = openDatabase({file: join(temporaryFolder(), 'kept.db')});
	onTestFinished(() => database.close());
	const fleet = createFleetStore();
	const registry = new Registry(database, fleet, write => write(), fakeClock());
	const read = (sessionId: string, folder: string, added: number) =>
		registry.recordSession({sessionId, workFolder: {folder, branch: 'main', added, removed: 0}}, 'added');
	read('one', '/srv/shop', 2);
	read('two', '/srv/shop', 2);
	registry.recordSession(
		{sessionId: 'tree', workFolder: {folder: '/w/shop', added: 2, removed: 0, isWorktree: true}},
		'added',
	);
	registry.recordSession({sessionId: 'outside'}, 'added');
	const counts = () =>
		[...fleet.getState().sessions.values()].map(({id, session}) => [id, session?.workFolder?.added]);
	let updates = 0;
	onTestFinished(fleet.subscribe(() => updates++));
	// After a turn, or a commit, of one of them.
	read('two', '/srv/shop', 0);
	expect(counts()).toEqual([
		['one', 0],
		['two', 0],
		['tree', 2],
		['outside', undefined],
	]);
	expect(updates).toBe(1);
	// When its changes are read.
	registry.recordFolder({folder: '/srv/shop', branch: 'main', added: 5, removed: 1});
	expect(counts().slice(0, 3)).toEqual([
		['one', 5],
		['two', 5],
		['tree', 2],
	]);
	expect(database.sessions.get('one')?.session?.workFolder).toMatchObject({added: 5, removed: 1});
	// One that can't be read says nothing.
	registry.recordFolder({problem: 'no-folder'});
	expect(counts()[0]).toEqual(['one', 5]);
});

test.each([true, false])(
	'a turn that no probe follows (%s) leaves the counts of its folder unknown',
	isFolderUnread => {
		const database = openDatabase({file: join(temporaryFolder(), 'kept.db')});
		onTestFinished(() => database.close());
		const fleet = createFleetStore();
		const clock = fakeClock();
		const registry = new Registry(database, fleet, write => write(), clock);
		for (const sessionId of ['one', 'two'])
			registry.recordSession(
				{sessionId, workFolder: {folder: '/srv/shop', branch: 'main', added: 2}},
				'added',
			);
		const recorder = new ActivityRecorder({
			registry,
			clock,
			outboxOf: () => [],
			skew: () => 0,
			isFolderUnread: () => isFolderUnread,
		});
		const messages = [{message: {id: 'm', createdAt: clock.now(), content: [{text: 'Done.'}]}}];
		const added = () => fleet.getState().sessions.get('two')?.session?.workFolder?.added;
		recorder.record('one', {messages, isWhole: true, changed: new Set()});
		expect(added()).toBe(2);
		recorder.record('one', {messages, isWhole: true, changed: new Set(['m'])});
		expect(added()).toBe(isFolderUnread ? undefined : 2);
		expect(fleet.getState().sessions.get('two')?.session?.workFolder?.branch).toBe('main');
	},
);

test('a folder that is on no branch shows none in any session', () => {
	const database = openDatabase({file: join(temporaryFolder(), 'kept.db')});
	onTestFinished(() => database.close());
	const fleet = createFleetStore();
	const registry = new Registry(database, fleet, write => write(), fakeClock());
	const workFolder = {folder: '/srv/shop', branch: 'main', added: 2, removed: 0};
	registry.recordSession({sessionId: 'one', workFolder}, 'added');
	registry.recordSession({sessionId: 'two', workFolder: {...workFolder, cwd: '/srv/shop/src'}}, 'added');
	registry.recordFolder({folder: '/srv/shop', added: 0, removed: 0});
	const folders = [...fleet.getState().sessions.values()].map(({session}) => session?.workFolder);
	const after = {folder: '/srv/shop', added: 0, removed: 0};
	expect(folders).toEqual([after, {...after, cwd: '/srv/shop/src'}]);
});

test("a read of a folder doesn't undo what another program has read about a session there", () => {
	const file = join(temporaryFolder(), 'kept.db');
	const program = () => {
		const database = openDatabase({file});
		onTestFinished(() => database.close());
		const fleet = createFleetStore();
		const registry = new Registry(database, fleet, write => write(), fakeClock());
		registry.load();
		return {database, fleet, registry};
	};
	const workFolder = {folder: '/srv/shop', branch: 'main', added: 2, removed: 0};
	const first = program();
	first.registry.recordSession({sessionId: 'one', title: 'Old', workFolder}, 'added');
	const second = program();
	first.registry.recordSession({sessionId: 'one', title: 'New', workFolder}, 'added');
	second.registry.recordFolder({folder: '/srv/shop', branch: 'main', added: 5, removed: 0});
	expect(first.database.sessions.get('one')?.session).toMatchObject({title: 'New', workFolder: {added: 5}});
});
