import {expect, test} from 'vitest';
import {createViewStore} from '../../../src/state/view/view.ts';
import {suggest} from '../../../src/ui/composer/completions.ts';
import {composerOf, createComposerStore, setComposer} from '../../../src/ui/composer/composers.ts';

test('selects the first of files that are listed after none matched', () => {
	const view = createViewStore();
	const composers = createComposerStore();
	setComposer(composers, 's', composerOf({text: 'see @a', images: [], files: []}, []));
	let listing: readonly string[] = [];
	const files = {filesUnder: () => listing, entriesOf: () => []};
	const completion = {folderOf: () => '/work', promptsOf: () => [], files};
	const look = () => suggest({view, composers, completion}, 's');
	look();
	look();
	listing = ['a.ts', 'b/a.ts'];
	look();
	expect(view.getState().completion).toMatchObject({selected: 0, total: 2});
});
