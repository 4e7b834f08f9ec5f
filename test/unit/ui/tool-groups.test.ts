import {expect, test} from 'vitest';
import type {ContentItem, MessageRole} from '../../../src/domain/messages/message.ts';
import type {StreamEntry} from '../../../src/state/stream.ts';
import {following} from '../../../src/state/view/view-states.ts';
import {lineText} from '../../../src/text/cells/line.ts';
import {safe} from '../../../src/text/cells/safe.ts';
import {RowCache} from '../../../src/text/messages/message-rows.ts';
import {itemText} from '../../../src/ui/stream/stream-bindings.ts';
import {streamItems} from '../../../src/ui/stream/stream-items.ts';
import {extentOf} from '../../../src/ui/stream/stream-now.ts';
import {positionOf, windowOf} from '../../../src/ui/stream/viewport.ts';

const at = new Date(2026, 10, 21, 14, 2).getTime();
const entry = (id: string, role: MessageRole, ...content: ContentItem[]): StreamEntry => ({
	kind: 'message',
	id,
	version: 1,
	role,
	message: {id, createdAt: at, content},
});
const text = (value: string): ContentItem => ({type: 'text', text: value});
const use = (id: string, name: string, input: unknown): ContentItem => ({type: 'tool_use', id, name, input});
const read = (id: string) => use(id, 'Read', {file_path: `${id}.ts`});
const result = (id: string, content: string): ContentItem => ({
	type: 'tool_result',
	tool_use_id: id,
	content,
});

const rows = new RowCache();
function drawn(entries: readonly StreamEntry[], isExpanded = false) {
	const items = streamItems(entries, []);
	return extentOf({
		...{sessionId: 's', stream: undefined, items, pending: 0, rows, width: 62, height: 20},
		...{isTall: false, folder: undefined},
		expanded: {all: isExpanded, others: new Set()},
		noteOf: () => ({text: safe``}),
		label: () => 'k' as never,
	});
}
const shown = (entries: readonly StreamEntry[]) => {
	const {ids, ownLinesAt} = drawn(entries);
	return ids.map((_, index) => ownLinesAt(index).map(row => lineText(row).slice(2).trimEnd()));
};

const call = entry('c', 'assistant', text('I look.'), use('x', 'Bash', {command: 'ls'}));
const answer = entry('r', 'tool', result('x', 'one\ntwo'));

test('draws a result in its own message with its call once it arrives', () => {
	expect(shown([call])).toEqual([['I look.', '· Bash ls']]);
	expect(shown([call, answer])).toEqual([['I look.', '✓ Bash ls', '  one', '  two']]);
	// A corrected result is drawn afresh, and a deleted one is gone.
	const corrected = {...entry('r', 'tool', result('x', 'three\ntwo')), version: 2};
	expect(shown([call, corrected])).toEqual([['I look.', '✓ Bash ls', '  three', '  two']]);
	expect(shown([call])).toEqual([['I look.', '· Bash ls']]);
});

test('shows a result alone until its call is read, and keeps the rest of its message', () => {
	expect(shown([answer])).toEqual([['result one  + 1 line']]);
	const both = entry('r2', 'user', result('x', 'fine'), text('go on'));
	expect(shown([both])).toEqual([['result fine', 'go on']]);
	expect(shown([call, both])).toEqual([['I look.', '✓ Bash ls  fine'], ['go on']]);
	expect(shown([both])).toEqual([['result fine', 'go on']]);
});

test('groups small calls in separate messages in one item, found by the id of each message', () => {
	const ids = ['a', 'b', 'd', 'e'];
	const run = ids.flatMap(id => [
		entry(id, 'assistant', read(id)),
		entry(`${id}-result`, 'tool', result(id, 'x\ny')),
	]);
	expect(shown([call, answer, ...run, entry('end', 'assistant', text('done'))])).toEqual([
		['I look.', '✓ Bash ls', '  one', '  two'],
		['✓ 4 reads  a.ts, b.ts, d.ts, e.ts'],
		['done'],
	]);
	const extent = drawn(run);
	for (const {id} of run) expect(positionOf(extent, {id, line: 0})).toEqual({index: 0, line: 2});
	expect(
		windowOf(extent, {isFollowing: false, top: {id: 'd', line: 0}, selected: 'e', lastSeen: 'e'}),
	).toMatchObject({selected: 0, unseen: 0});
	expect(windowOf(extent, following).selected).toBe(0);
	const [item] = extent.items;
	expect(item && itemText(item)).toBe('x\ny\nx\ny\nx\ny\nx\ny');
});

test('another kind of call, another day and a gap end a group', () => {
	const bash = entry('c2', 'assistant', use('y', 'Bash', {command: 'ls'}), result('y', ''));
	const small = (id: string) => entry(id, 'assistant', read(id), result(id, 'x'));
	expect(drawn([small('a'), small('b'), bash, small('d'), small('e')]).ids).toEqual(['a', 'c2', 'd']);
	const later = small('b');
	const nextDay =
		later.kind === 'gap' ? later : {...later, message: {...later.message, createdAt: at + 24 * 3600 * 1000}};
	expect(drawn([small('a'), nextDay]).ids).toEqual(['a', 'b']);
	expect(drawn([small('a'), {kind: 'gap', id: 'g', version: 1}, small('b')]).ids).toEqual(['a', 'g', 'b']);
});
