import {expect, test} from 'vitest';
import type {Message} from '../../../../src/domain/messages/message.ts';
import {type ReadPage, type WalkedPage, walk} from '../../../../src/sync/messages/listing.ts';

const message = (id: string): Message => ({id, content: []});

/** Reads pages of these ids, each with a cursor of its own; the last one is repeated forever. */
async function walked(...pages: readonly (readonly string[])[]): Promise<readonly WalkedPage[]> {
	let requests = 0;
	const read: ReadPage = async () => {
		const page = pages[requests] ?? pages.at(-1) ?? [];
		if (++requests > 50) throw new Error('The walk does not end.');
		return {items: page.map(message), hasMore: true, nextCursor: `c${requests}`, skipped: 0};
	};
	const found: WalkedPage[] = [];
	for await (const page of walk(read, {})) found.push(page);
	return found;
}

const idsOf = (pages: readonly WalkedPage[]) => pages.map(({items}) => items.map(({id}) => id).join(''));

test('cuts off a listing that repeats its last page with new cursors', async () => {
	const pages = await walked(['a', 'b'], ['c']);
	expect(idsOf(pages)).toEqual(['ab', 'c', 'c', 'c', 'c']);
	expect(pages.at(-1)).toMatchObject({cursor: 'c4', nextCursor: undefined, isCut: true, isEnd: false});
});

test('cuts off a listing whose pages go round in circles', async () => {
	const round = [['a'], ['b'], ['a'], [], ['b'], ['a'], ['b']];
	expect(idsOf(await walked(...round))).toEqual(['a', 'b', 'a', '', 'b', 'a']);
});

test('reads on through overlapping pages', async () => {
	const pages = await walked(['a', 'b'], ['b'], ['b'], ['b', 'c'], ['c', 'd'], ['d']);
	expect(idsOf(pages).slice(0, 6)).toEqual(['ab', 'b', 'b', 'bc', 'cd', 'd']);
	expect(pages).toHaveLength(8);
});
