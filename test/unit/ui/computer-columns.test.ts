import {describe, expect, test} from 'vitest';
import type {Computer} from '../../../src/domain/computers/computer.ts';
import {progress} from '../../../src/domain/computers/provisioning.ts';
import {
	type ComputerRow,
	computerColumns,
	computerRow,
	computerRows,
} from '../../../src/state/computers/computer-columns.ts';
import type {ComputerItem} from '../../../src/state/computers/computer-items.ts';
import {createFilterables} from '../../../src/state/lists/list-filtering.ts';
import {lineText} from '../../../src/text/cells/line.ts';
import {columnsOnScreen, fitTable, tableHeading, tableRow, widestTexts} from '../../../src/ui/kit/columns.ts';
import {fleet, knownComputer, listsOf, noon} from '../../support/fleet.ts';

const place = {providerType: 'byom', hostname: 'ip-10-0-4-12.ec2.internal', remoteUser: 'dev'} as const;
const done = {name: 'check', status: 'done', startedAt: noon - 182_000, completedAt: noon};
const up: Partial<Computer> = {...place, provisioningSteps: [done]};
const going: Partial<Computer> = {
	...place,
	status: 'provisioning',
	provisioningSteps: [{name: 'clone', status: 'running', startedAt: noon - 112_000}],
};

const itemsOf = (computers: Readonly<Record<string, Partial<Computer>>>) => {
	const known = Object.entries(computers).map(([name, computer]) => knownComputer(name, computer));
	return listsOf(fleet([], known)).all;
};
const progressOf = ({item}: {readonly item: ComputerItem}) =>
	progress(item.known.computer as Computer, () => 120_000, noon);

/** The table as text, `width` columns wide. */
function tableText(computers: Readonly<Record<string, Partial<Computer>>>, width: number): string {
	const all = itemsOf(computers);
	const rows = computerRows(
		all,
		{words: '', order: 'state', isReversed: false},
		{elapsed: () => undefined, filterables: createFilterables(), problems: new Map()},
	);
	const columns = fitTable(
		columnsOnScreen(
			computerColumns,
			widestTexts(
				computerColumns,
				all.computers.map(item => computerRow(item)),
			),
			{width, now: noon, progressOf: (row: ComputerRow) => progressOf(row)},
			{order: 'state', isReversed: false},
		),
		width,
	);
	return [tableHeading(columns), ...rows.map(row => tableRow(columns, row))]
		.map(line => lineText(line).trimEnd())
		.join('\n');
}

const long = {'gpu-training-a100-eu-west': up, 'mobile-e2e-runner-android': up, web: up};

describe('names are whole, and the other columns get the rest', () => {
	test.each([
		[80, 'STATE▲          NAME                       STEPS       TIME     SESSIONS    READ'],
		[
			137,
			'STATE▲          NAME                       STEPS          TIME     SESSIONS  PROVIDER       HOST                       USER          READ',
		],
	])('%i columns', (width, heading) => {
		const text = tableText(long, width);
		expect(text.split('\n')[0]).toBe(heading);
		for (const name of Object.keys(long)) expect(text).toContain(`✓ active        ${name} `);
		expect(text).not.toContain('…');
	});
});

test('short names take no more room than they need, so that everything fits beside them', () => {
	const [heading, row] = tableText({web: up, 'build-box': going}, 72).split('\n');
	expect(heading).toBe('STATE▲          NAME         STEPS     TIME             SESSIONS    READ');
	expect(row).toMatch(/^● provisioning {2}build-box +[─ ]*0\/1 +1m 52s \/ \d/);
});

test.each([
	[60, undefined],
	[126, 'your own machine'],
	[150, 'your own machine \\(byom\\)'],
])('%i columns: names the provider in the user’s words, as many as there is room for', (width, words) => {
	const text = tableText(
		{web: {...up, hostname: 'web.lan'}, cloud: {...going, hostname: 'x.lan', providerType: 'e2b'}},
		width,
	);
	if (words === undefined) expect(text).not.toContain('PROVIDER');
	else expect(text).toMatch(new RegExp(`web .* {2}${words} {2}`));
});

test('with the least room, shows only the name, cut', () => {
	expect(tableText(long, 24).split('\n').slice(1)).toEqual([
		'✓  gpu-training-a100-eu…',
		'✓  mobile-e2e-runner-an…',
		'✓  web',
	]);
});

test.each(['constructor'])('shows a provider called %s by its own name', providerType => {
	expect(tableText({web: {...up, providerType}}, 140)).toContain(providerType);
});

test('a machine whose service is older than its program is updated when idle', () => {
	expect(tableText({web: {...up, updatesWhenIdle: true}}, 80)).toContain('✓ update when idle  web');
});
