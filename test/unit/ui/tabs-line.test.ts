import {expect, test} from 'vitest';
import {usageTabs} from '../../../src/state/organization-reading.ts';
import {lineText} from '../../../src/text/line.ts';
import {tabActionAt, tabsLine} from '../../../src/ui/organization/tabs-line.ts';

test.each([
	[76, 'credits', '[credits]  adoption   autonomy   output   tools   people'],
	[57, 'people', ' credits   adoption   autonomy   output   tools  [people]'],
	[36, 'output', ' c   a   u  [output]  t   p'],
	[36, 'people', ' c   a   u   o   t  [people]'],
] as const)('in %i columns with %s open', (width, open, text) => {
	expect(lineText(tabsLine(open, width))).toBe(text);
});

test('every tab is opened by a press on it, wide and narrow', () => {
	for (const width of [36, 76])
		for (const open of usageTabs) {
			const text = lineText(tabsLine(open, width));
			const hit = Array.from(text, (_, column) => tabActionAt(column, open, width));
			expect([...new Set(hit)]).toEqual(usageTabs.map(tab => `tab-${tab}`));
			expect(hit[text.indexOf('[') + 1]).toBe(`tab-${open}`);
			expect(tabActionAt(text.length + 1, open, width)).toBeUndefined();
		}
});
