import {expect, test} from 'vitest';
import type {StreamEntry} from '../../../src/state/stream.ts';
import {safe} from '../../../src/text/cells/safe.ts';
import {RowCache} from '../../../src/text/messages/message-rows.ts';
import type {StreamItem} from '../../../src/ui/stream/stream-items.ts';
import {extentOf} from '../../../src/ui/stream/stream-now.ts';

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

test('finds a message by its own id first, then as part of an item', () => {
	const stream = extent([item('m0', ['m2', 'm3']), item('m1'), item('m2')]);
	expect(['m0', 'm1', 'm2', 'm3', 'm4'].map(stream.indexOf)).toEqual([0, 1, 2, 0, -1]);
});
