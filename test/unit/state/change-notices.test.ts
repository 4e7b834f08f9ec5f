import {expect, test} from 'vitest';
import type {Computer} from '../../../src/domain/computers/computer.ts';
import {computerNotices, incidentNotices, storageNotice} from '../../../src/state/change-notices.ts';
import type {Connection} from '../../../src/state/connection.ts';
import {fleet, knownComputer, noon} from '../../support/fleet.ts';

const computers = (computer: Partial<Computer>) => fleet([], [knownComputer('box', computer)]).computers;
const failed = {provisioningSteps: [{name: 'install', status: 'failed', error: 'no disk'}]};

test.each<[Partial<Computer>, Partial<Computer>, string[]]>([
	[{status: 'provisioning'}, {status: 'active'}, ['box is up']],
	[{status: 'provisioning'}, {status: 'error'}, ['box could not be provisioned']],
	[{status: 'provisioning'}, {status: 'active', ...failed}, ['box: install failed: no disk']],
	[
		{status: 'provisioning'},
		{provisioningSteps: [{name: 'clone', status: 'failed', error: 'git https://me:hunter22@host'}]},
		['box: clone failed: git https://***@host'],
	],
	[
		{status: 'provisioning'},
		{
			provisioningSteps: [
				{name: 'clone', status: 'failed', error: "Cloning into 'app'...\nfatal: no access"},
			],
		},
		['box: clone failed: fatal: no access'],
	],
	[failed, failed, []],
	[{status: 'active'}, {status: 'active'}, []],
])("reports a computer's change from %j to %j", (before, after, reported) => {
	expect(
		computerNotices(computers(before), computers(after), noon, () => computers(after)).map(
			notice => notice.text,
		),
	).toEqual(reported);
});

test('a notice ends with its cause', () => {
	let latest = computers(failed);
	const [notice] = computerNotices(computers({status: 'provisioning'}), latest, noon, () => latest);
	expect(notice?.isCurrent?.()).toBe(true);
	latest = computers({provisioningSteps: [{name: 'clone', status: 'running'}]});
	expect(notice?.isCurrent?.()).toBe(false);

	let connection: Connection = {state: 'quiet', hooks: 'off'};
	const sound = connection;
	connection = {...sound, storage: {what: 'full', at: noon}, incidents: [{what: 'lost', at: 1}]};
	const all = [
		storageNotice(sound, connection, () => connection),
		...incidentNotices(sound, connection, () => connection),
	];
	expect(all.map(one => one?.isCurrent?.())).toEqual([true, true]);
	connection = sound;
	expect(all.map(one => one?.isCurrent?.())).toEqual([false, false]);
});

test("what was known before the screen opened isn't news", () => {
	expect(computerNotices(new Map(), computers({status: 'error'}), noon, () => new Map())).toEqual([]);
});

test('reports only once that nothing can be stored', () => {
	const sound = {state: 'quiet', hooks: 'off'} as const;
	const broken = {...sound, storage: {what: 'the disk is full', at: noon}};
	expect(storageNotice(sound, sound, () => sound)).toBeUndefined();
	expect(storageNotice(sound, broken, () => sound)).toMatchObject({
		tone: 'bad',
		text: 'the disk is full',
	});
	expect(storageNotice(broken, {...broken, state: 'polling'}, () => sound)).toBeUndefined();
	expect(storageNotice(broken, sound, () => sound)).toBeUndefined();
});
