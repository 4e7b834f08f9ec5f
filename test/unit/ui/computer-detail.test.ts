import {expect, test} from 'vitest';
import type {Computer, ProvisioningStep} from '../../../src/domain/computers/computer.ts';
import {progress} from '../../../src/domain/computers/provisioning.ts';
import {computerItems} from '../../../src/state/computers/computer-items.ts';
import {type Line, lineText} from '../../../src/text/cells/line.ts';
import {computerDetailLines} from '../../../src/ui/panes/computer-detail.ts';
import {fleet, knownComputer, noon} from '../../support/fleet.ts';

test.each([36, 80])('shows the whole id in a detail of %i columns', width => {
	const id = '669b2306-75d3-4e1f-9aad-4001a00bee6c';
	const [item] = computerItems(fleet([], [knownComputer(id)]));
	if (!item) throw new Error('no computer');
	const detail = {item, progress: progress({id}, () => undefined, 0), now: noon, sessions: 0, needs: 0};
	const rows = computerDetailLines({...detail, keys: {label: () => 'r' as never}}, width, 20).map(lineText);
	const at = rows.findIndex(row => row.startsWith('id '));
	const end = rows.findIndex(row => row.startsWith('status'));
	expect(
		rows
			.slice(at, end)
			.map(row => row.slice(10).trimEnd())
			.join(''),
	).toBe(id);
	for (const row of rows) expect(row.length).toBeLessThanOrEqual(width);
});

function detailRows(
	steps: readonly ProvisioningStep[],
	height = 20,
	more: Partial<Computer> = {},
): readonly Line[] {
	const [item] = computerItems(fleet([], [knownComputer('c', {provisioningSteps: steps, ...more})]));
	if (!item?.known.computer) throw new Error('no computer');
	const done = progress(item.known.computer, () => undefined, noon);
	return computerDetailLines(
		{item, progress: done, now: noon, sessions: 0, needs: 0, keys: {label: action => action as never}},
		60,
		height,
	);
}

test('shows the beginning and the end of a long error, in the colors of its tool, below the keys', () => {
	const error = [
		Array.from({length: 300}, (_, index) => `fetched ${index}`).join('\r'),
		...Array.from({length: 400}, (_, index) => `line ${index}`),
		'\u001b[32mtry again\u001b[0m',
	].join('\n');
	const steps = [{name: 'clone', status: 'failed', error}];
	const rows = detailRows(steps, 20, {status: 'error', host: {ssh: 'devbox'}});
	const texts = rows.map(lineText);
	const at = texts.findIndex(row => row.includes('clone'));
	expect(texts.slice(0, at)).toContain('connect-computer  tries again now');
	expect(texts[at + 1]).toBe('   │ fetched 299');
	expect(texts).toContain('   │ + 202 lines');
	const end = texts.findIndex(row => row.endsWith('try again'));
	expect(texts[end - 1]).toBe('   │ line 399');
	expect(rows[end]?.at(-1)).toMatchObject({text: 'try again', tone: 'good'});
});

test('shows the failed step of a machine once where there is little room, with the key that tries again', () => {
	const names = ['connect', 'check the machine', 'copy Quarterdeck', 'start its service'];
	const steps = names.map((name, index) =>
		index === 0 ? {name, status: 'failed', error: 'Connection refused'} : {name, status: 'skipped'},
	);
	const rows = detailRows(steps, 10, {status: 'error', host: {ssh: 'devbox'}}).map(lineText);
	for (const name of names) expect(rows.filter(row => row.includes(` ${name} `))).toHaveLength(1);
	expect(rows).toContain('connect-computer  tries again now');
});

test.each(['running', 'failed'])('shows a %s step of many above the others', status => {
	const steps = Array.from({length: 40}, (_, index) => ({
		name: `step ${index}`,
		status: index === 30 ? status : 'done',
	}));
	const texts = detailRows(steps).map(lineText);
	const at = (name: string) => texts.findIndex(row => row.includes(` ${name} `));
	expect(at('step 30')).toBeGreaterThan(0);
	expect(at('step 30')).toBeLessThan(at('step 0'));
	expect(at('step 31')).toBeGreaterThan(at('step 29'));
});
