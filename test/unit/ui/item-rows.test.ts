import {expect, test} from 'vitest';
import {lineText} from '../../../src/text/cells/line.ts';
import {safe} from '../../../src/text/cells/safe.ts';
import {RowCache} from '../../../src/text/messages/message-rows.ts';
import {itemRows, leadRows} from '../../../src/ui/stream/item-rows.ts';
import {streamItems} from '../../../src/ui/stream/stream-items.ts';

test('messages with the same id in two sessions keep their own text', () => {
	const cache = new RowCache();
	const drawn = (sessionId: string, text: string) => {
		const message = {id: 'm', role: 'user', content: [{type: 'text', text}]} as const;
		const [item] = streamItems([{kind: 'message', id: 'm', version: 1, message, role: 'user'}], []);
		if (!item) throw new Error('There is one item.');
		return itemRows(cache, sessionId, item, {width: 80, isExpanded: false}, {label: () => 'k' as never})
			.map(lineText)
			.join();
	};
	expect(drawn('a', 'the text of a')).toContain('the text of a');
	expect(drawn('b', 'the text of b')).toContain('the text of b');
});

test.each([
	['unconfirmed', {}, 'retry send again discard take back copy copy'],
	[
		'failed',
		{toStream: safe`Esc`, isWriting: true},
		'After Esc: retry send again discard take back copy copy',
	],
	['failed', {toStream: safe`Tab`}, 'After Tab: retry send again discard take back copy copy'],
	['queued', {}, 'discard take back before it is sent'],
	['queued', {toStream: safe`Esc`, isWriting: true}, 'take-back take back before it is sent'],
] as const)('%s, %o: shows only keys that work now', (state, reach, expected) => {
	const cache = new RowCache();
	const outbox = {
		...{id: 'o', sessionId: 's', text: 'go', images: [], files: []},
		...{state, createdAt: 0, tries: 1},
	};
	const [item] = streamItems([], [outbox]);
	if (!item) throw new Error('There is one item.');
	const drawn = (keys: typeof reach) =>
		itemRows(cache, 's', item, {width: 80, isExpanded: false}, {label: name => name as never, ...keys})
			.map(line => lineText(line).trim().replace(/ +/g, ' '))
			.at(-1);
	expect(drawn(reach)).toBe(expected);
	// The keyboard goes elsewhere, and the rows with it.
	expect(drawn({})).toBe(drawn({toStream: undefined}));
	expect(drawn(reach)).toBe(expected);
});

test("a message has a head with author and time, which an agent's following messages share", () => {
	const minute = 60_000;
	const at = new Date(2026, 10, 21, 14, 2).getTime();
	const text = (words: string) => [{type: 'text', text: words}];
	const call = [{type: 'tool_use', id: 'c', name: 'Bash', input: {command: 'npm test'}}];
	const entries = (
		[
			['user', 0, text('go on')],
			['user', 0, text('please')],
			['assistant', 1, text('Looking.')],
			['assistant', 2, text('Found it.')],
			['assistant', 2, call],
			['assistant', 3, text('Done.')],
			['assistant', 8, text('One more thing.')],
			[undefined, 8, text('who?')],
			[undefined, 8, text('and who?')],
		] as const
	).map(([role, minutes, content], index) => ({
		kind: 'message' as const,
		id: `m${index}`,
		version: 1,
		message: {id: `m${index}`, content, createdAt: at + minutes * minute},
		...(role && {role}),
	}));
	const items = streamItems(entries, []);
	const leads = items.map((_, index) =>
		leadRows(items, index, {width: 60, beginning: 'start', ...(index === 1 && {note: {text: safe`✓ seen`}})})
			.map(lineText)
			.map(row => row.trimEnd().replace(/ {2,}/, ' ~ ')),
	);
	expect(leads.slice(1)).toEqual([
		['', 'you 14:02 ~ ✓ seen'],
		['', 'agent 14:03'],
		[],
		// Words and tools stand apart.
		[''],
		[''],
		['', 'agent 14:10'],
		['', '· 14:10'],
		['', '· 14:10'],
	]);
	expect(leads[0]?.[1]).toBe('you 14:02');
});

test("a tool's plain text and an agent's words don't share a head, but cards and words do", () => {
	const result = [{type: 'tool_result', tool_use_id: 'elsewhere', content: 'ok'}];
	const entries = (
		[
			['tool', [{text: '3 files'}]],
			['tool', [{text: '2 more'}]],
			['assistant', [{text: 'There are five.'}]],
			['tool', result],
			['assistant', [{text: 'Done.'}]],
			['tool', [{text: 'bye'}]],
		] as const
	).map(([role, content], index) => ({
		kind: 'message' as const,
		id: `m${index}`,
		version: 1,
		message: {id: `m${index}`, content, createdAt: new Date(2026, 10, 21, 14, 2).getTime()},
		role,
	}));
	const items = streamItems(entries, []);
	const heads = items.map((_, index) =>
		leadRows(items, index, {width: 60, beginning: 'older'})
			.map(lineText)
			.filter(row => row.includes('14:02')),
	);
	expect(heads).toEqual([['tool 14:02'], [], ['agent 14:02'], [], [], ['tool 14:02']]);
});
