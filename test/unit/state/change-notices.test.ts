import {expect, test} from 'vitest';
import type {Computer} from '../../../src/domain/computers/computer.ts';
import {computerNotices, storageNotice} from '../../../src/state/change-notices.ts';
import {fleet, knownComputer, noon} from '../../support/fleet.ts';

const computers = (computer: Partial<Computer>) => fleet([], [knownComputer('box', computer)]).computers;
const failed = {provisioningSteps: [{name: 'install', status: 'failed', error: 'no disk'}]};

test.each<[Partial<Computer>, Partial<Computer>, string[]]>([
	[{status: 'provisioning'}, {status: 'active'}, ['box is up']],
	[{status: 'provisioning'}, {status: 'error'}, ['box could not be provisioned']],
	[{status: 'provisioning'}, {status: 'active', ...failed}, ['box: install failed: no disk']],
	[failed, failed, []],
	[{status: 'active'}, {status: 'active'}, []],
])('from %j to %j', (before, after, reported) => {
	expect(computerNotices(computers(before), computers(after), noon).map(notice => notice.text)).toEqual(
		reported,
	);
});

test('what was known before the screen opened is no news', () => {
	expect(computerNotices(new Map(), computers({status: 'error'}), noon)).toEqual([]);
});

test('that nothing can be kept is told once for each cause, and lasts', () => {
	const sound = {state: 'quiet', hooks: 'off'} as const;
	const broken = {...sound, storage: {what: 'the disk is full', at: noon}};
	expect(storageNotice(sound, sound)).toBeUndefined();
	expect(storageNotice(sound, broken)).toMatchObject({
		tone: 'bad',
		text: 'the disk is full',
		isLasting: true,
	});
	expect(storageNotice(broken, {...broken, state: 'polling'})).toBeUndefined();
	expect(storageNotice(broken, sound)).toBeUndefined();
});
