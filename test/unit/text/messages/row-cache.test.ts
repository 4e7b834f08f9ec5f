import {expect, test} from 'vitest';
import type {Line} from '../../../../src/text/cells/line.ts';
import {safe} from '../../../../src/text/cells/safe.ts';
import {RowCache, type RowsMemo} from '../../../../src/text/messages/message-rows.ts';

const look = {width: 80, isExpanded: false};
const lines = (count: number): Line[] => Array.from({length: count}, () => [{text: safe`row`}]);

test('makes rows once, and again when the version, width or expansion changes', () => {
	const cache = new RowCache();
	let made = 0;
	const make = () => {
		made++;
		return lines(2);
	};
	cache.rows({id: 'a', version: 1}, look, make);
	cache.rows({id: 'a', version: 1}, look, make);
	expect(made).toBe(1);
	cache.rows({id: 'a', version: 2}, look, make);
	cache.rows({id: 'a', version: 2}, {...look, width: 70}, make);
	cache.rows({id: 'a', version: 2}, {width: 70, isExpanded: true}, make);
	expect(made).toBe(4);
	expect(cache.size).toBe(2);
});

test('drops the least recently used rows first', () => {
	const cache = new RowCache(10);
	const made: string[] = [];
	const read = (id: string, count: number) =>
		cache.rows({id, version: 1}, look, () => {
			made.push(id);
			return lines(count);
		});
	read('a', 4);
	read('b', 4);
	read('a', 4);
	read('c', 4);
	expect(cache.size).toBe(8);
	read('a', 4);
	read('b', 4);
	expect(made).toEqual(['a', 'b', 'c', 'b']);
	read('long', 50);
	expect(cache.size).toBe(50);
});

test('makes the next version from the memo of the last one, but a new width without it', () => {
	const cache = new RowCache();
	const seen: boolean[] = [];
	const make = (memo: RowsMemo) => {
		seen.push(memo.has(0));
		memo.set(0, {} as never);
		return lines(1);
	};
	cache.rows({id: 'a', version: 1}, look, make);
	cache.rows({id: 'a', version: 2}, look, make);
	cache.rows({id: 'a', version: 3}, {...look, width: 70}, make);
	cache.rows({id: 'b', version: 1}, look, make);
	expect(seen).toEqual([false, true, false, false]);
});
