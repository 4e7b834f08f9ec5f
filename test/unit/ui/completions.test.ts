import {expect, test} from 'vitest';
import {createViewStore} from '../../../src/state/view/view.ts';
import {suggest} from '../../../src/ui/composer/completions.ts';
import {composerOf, createComposerStore, setComposer} from '../../../src/ui/composer/composers.ts';

test('selects the first of files that are listed after none matched', () => {
	const view = createViewStore();
	const composers = createComposerStore();
	setComposer(composers, 's', composerOf({text: 'see @a', images: [], files: []}, []));
	let listing: readonly string[] = [];
	const files = {filesUnder: () => ({files: listing, ignored: []}), entriesOf: () => []};
	const completion = {folderOf: () => '/work', foldersOn: () => [], promptsOf: () => [], files};
	const look = () => suggest({view, composers, completion}, 's');
	look();
	look();
	listing = ['a.ts', 'b/a.ts'];
	look();
	expect(view.getState().completion).toMatchObject({selected: 0, total: 2});
});

test.each([
	['@build', ['builder.ts', 'src/build.ts', 'build/']],
	['@build/', ['build/out.js', 'build/']],
	['@build/o', ['build/out.js']],
	['@ui/comp', ['src/ui/composer.ts']],
	['@@types', ['@types/a.ts']],
	['@"my d', ['my dir/', 'my dir/b c']],
])('%j suggests files and folders, and what is ignored last', (text, expected) => {
	const view = createViewStore();
	const composers = createComposerStore();
	setComposer(composers, 's', composerOf({text, images: [], files: []}, []));
	const listed = ['builder.ts', 'src/build.ts', 'src/ui/composer.ts', '@types/a.ts', 'my dir/', 'my dir/b c'];
	const files = {
		filesUnder: () => ({files: listed, ignored: ['build/']}),
		entriesOf: (folder: string) => (folder === '/work/build' ? ['out.js'] : []),
	};
	suggest(
		{view, composers, completion: {folderOf: () => '/work', foldersOn: () => [], promptsOf: () => [], files}},
		's',
	);
	expect(
		view
			.getState()
			.completion?.items.map(({path}) => path)
			.toSorted(),
	).toEqual(expected.toSorted());
	if (text === '@build') expect(view.getState().completion?.items.at(-1)?.path).toBe('build/');
});
