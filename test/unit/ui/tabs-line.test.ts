import {expect, test} from 'vitest';
import {usageTabs} from '../../../src/state/organization/organization-view-state.ts';
import {lineText} from '../../../src/text/cells/line.ts';
import {createKeyMap} from '../../../src/ui/bindings.ts';
import {tabActionAt, tabsLine} from '../../../src/ui/organization/usage-page.ts';

const keys = createKeyMap();

test.each([
	[76, 'credits', '[credits]  adoption   autonomy   output   tools   people'],
	[36, 'output', ' c   a   u  [output]  t   p'],
	[36, 'people', ' c   a   u   o   t  [people]'],
] as const)('fits %i columns with %s open', (width, open, text) => {
	expect(lineText(tabsLine(open, width, keys))).toBe(text);
});

test('a press on a tab opens it, in wide and narrow lines', () => {
	for (const width of [36, 76])
		for (const open of usageTabs) {
			const text = lineText(tabsLine(open, width, keys));
			const hit = Array.from(text, (_, column) => tabActionAt(column, open, width, keys));
			expect([...new Set(hit)]).toEqual(usageTabs.map(tab => `tab-${tab}`));
			expect(hit[text.indexOf('[') + 1]).toBe(`tab-${open}`);
			expect(tabActionAt(text.length + 1, open, width, keys)).toBeUndefined();
		}
});

test("shows a custom key in the tab's name, or before it", () => {
	const own = createKeyMap({
		byAction: new Map([
			['tab-credits', ['d']],
			['tab-tools', ['f5']],
		]),
		problems: [],
	});
	expect(lineText(tabsLine('output', 90, own))).toBe(
		' credits   adoption   autonomy  [output]  F5 tools   people',
	);
	expect(tabsLine('output', 90, own).find(({text}) => text === 'd')?.bold).toBe(true);
	expect(lineText(tabsLine('output', 36, own))).toBe(' d   a   u  [output]  F5   p');
});
