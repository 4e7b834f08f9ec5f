import {expect, test} from 'vitest';
import {span} from '../../../src/text/cells/line.ts';
import {safe} from '../../../src/text/cells/safe.ts';
import {cacheRows} from '../../../src/ui/organization/organization-view.tsx';

test("draws a row once, but doesn't keep all of many rows", () => {
	const drawn: number[] = [];
	const page = cacheRows({
		title: [],
		head: [],
		count: 2000,
		row(index) {
			drawn.push(index);
			return [span(safe`${index}`)];
		},
	});
	const first = page.row(7);
	expect(page.row(7)).toBe(first);
	expect(drawn).toEqual([7]);
	for (let index = 0; index < 2000; index++) expect(page.row(index)[0]?.text).toBe(String(index));
	drawn.length = 0;
	for (let index = 1999; index >= 0; index--) page.row(index);
	expect(drawn.length).toBeGreaterThan(1000);
});
