import {expect, test} from 'vitest';
import type {StreamEntry} from '../../../src/state/stream.ts';
import {following} from '../../../src/state/view/view-states.ts';
import {safe} from '../../../src/text/cells/safe.ts';
import {RowCache} from '../../../src/text/messages/message-rows.ts';
import type {StreamItem} from '../../../src/ui/stream/stream-items.ts';
import {extentOf} from '../../../src/ui/stream/stream-now.ts';
import {scrolled, windowOf} from '../../../src/ui/stream/viewport.ts';

const item = (id: string, otherIds?: readonly string[], content = {type: 'text', text: id}): StreamItem => {
	const entry: StreamEntry = {
		...{kind: 'message', id, version: 1, role: 'assistant'},
		message: {id, content: [content]},
	};
	return {id, version: 1, entry, ...(otherIds && {otherIds})};
};

function extent(items: readonly StreamItem[], rows = new RowCache()) {
	return extentOf({
		...{sessionId: 's', stream: undefined, items, pending: 0, rows, width: 62, height: 20},
		...{isTall: true, folder: undefined},
		expanded: {all: false, others: new Set()},
		noteOf: () => ({text: safe``}),
		label: () => safe`k`,
	});
}

const question = {question: 'Which?', options: []};
const call = {type: 'tool_use', name: 'Ask', text: '', input: {questions: [question]}};
test.each([{type: 'text', text: 'words'}, call])(
	'scrolling a page makes the rows of each item only once',
	content => {
		const asked: string[] = [];
		class CountingCache extends RowCache {
			override rows(...[entry, look, make]: Parameters<RowCache['rows']>) {
				asked.push(entry.id);
				return super.rows(entry, look, make);
			}
		}
		const items = Array.from({length: 200}, (_, index) => item(`m${index}`, undefined, content));
		const stream = extent(items, new CountingCache());
		const page = scrolled(stream, following, -20);
		windowOf(stream, page);
		expect(asked.length).toBeGreaterThan(20);
		expect(asked).toEqual([...new Set(asked)]);
	},
);

test('space follows a card with rows below its head on a tall screen', () => {
	const plan = {type: 'tool_use', name: 'Todo', text: '', input: {todos: [{content: 'a', status: 'done'}]}};
	const stream = extent([item('m0'), item('m1', undefined, plan), item('m2', undefined, call)]);
	expect(stream.ownLinesAt(1)).toHaveLength(2);
	expect(stream.leadAt(2)).toBe(1);
	const other = extent([item('m0'), item('m1', undefined, call), item('m2', undefined, call)]);
	expect(other.leadAt(2)).toBe(0);
});

test('finds a message by its own id first, then as part of an item', () => {
	const stream = extent([item('m0', ['m2', 'm3']), item('m1'), item('m2')]);
	expect(['m0', 'm1', 'm2', 'm3', 'm4'].map(stream.indexOf)).toEqual([0, 1, 2, 0, -1]);
});
