import {expect, test} from 'vitest';
import {createEditor} from '../../../src/text/editor/editor-state.ts';
import {commentId, commentsIn, createComposerStore, setComposer} from '../../../src/ui/composer/composers.ts';
import {
	type CommentPlace,
	commentsText,
	lineOf,
	messageOf,
} from '../../../src/ui/dialogs/diff/diff-comments.ts';

const file = (patch: string) => ({path: 'a.ts', kind: 'modified', patch}) as const;

test.each<[string, CommentPlace, number | undefined]>([
	['on its line', {path: 'a.ts', code: 'two', number: 2}, 2],
	['on the nearest line with its code, once others were added', {path: 'a.ts', code: 'end', number: 9}, 5],
	[
		'on a removed line, not on an added one like it',
		{path: 'a.ts', code: 'two', number: 2, isRemoved: true},
		3,
	],
	['on the file', {path: 'a.ts'}, -1],
	['nowhere, once its code is gone', {path: 'a.ts', code: 'three', number: 2}, undefined],
])('a comment is shown %s', (_, place, index) => {
	expect(lineOf(file('@@ -1,4 +1,4 @@\n end\n+two\n-two\n one\n end'), place)).toBe(index);
});

test.each([
	[1, 0, '1 comment'],
	[1, 1, "1 comment on a line that isn't shown"],
	[3, 1, "3 comments, 1 of them on a line that isn't shown"],
])('of %i comments, %i not shown: %s', (count, hidden, words) => {
	expect(commentsText(count, hidden)).toBe(words);
});

test('a message quotes code that has fences, and names that have line ends', () => {
	const words = 'why?';
	const place = {path: 'a\n```.md', code: '````js', number: 3, isRemoved: true} as const;
	expect(
		messageOf([
			{id: '1', place, words},
			{id: '2', place: {path: 'b.ts'}, words},
		]),
	).toBe('"a\\n```.md":3 (removed)\n`````md\n````js\n`````\nwhy?\n\nb.ts\nwhy?\n');
});

test.each(['["comment",', '["comment","s1"]', '["comment","s1",{}]'])(
	'a session with the id %s has no comment',
	id => {
		const store = createComposerStore();
		const real = commentId('s1', {path: 'a.ts'});
		for (const draft of [id, real])
			setComposer(store, draft, {editor: createEditor('x'), images: [], files: []});
		expect(commentsIn(store, 's1').map(comment => comment.id)).toEqual([real]);
		expect(store.getState().drafted).toEqual(new Set([id, 's1']));
	},
);
