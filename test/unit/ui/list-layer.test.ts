import {expect, test} from 'vitest';
import {listLayer} from '../../../src/ui/dialogs/list-layer.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';

const parts = appParts(fakeClock());

test.each([
	['columns', 'end', 29],
	['columns', 'G', 29],
	['columns', 'home', 0],
	['columns', 'g', 0],
	['columns', 'pagedown', 15],
	['columns', 'pageup', 0],
	['palette', 'end', 29],
	['palette', 'home', 0],
	['answer', 'end', undefined],
] as const)('in the dialog %s, %s goes to %s', (context, name, to) => {
	let at: number | undefined;
	const query = context === 'palette' ? {query: ''} : {};
	const keys = {context, index: 5, count: () => 30, moved: (index: number) => (at = index), ...query};
	listLayer(parts, keys).handle({name, text: name.length === 1 ? name : ''}, true);
	expect(at).toBe(to);
});
