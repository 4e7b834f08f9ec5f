import {expect, test} from 'vitest';
import type {Focus} from '../../../src/state/view/view.ts';
import {createViewStore} from '../../../src/state/view/view.ts';
import {createKeyMap} from '../../../src/ui/bindings.ts';
import {wayOutKey} from '../../../src/ui/way-out.ts';

test.each<[Focus, string | undefined]>([
	['main', 'Esc'],
	['lists', undefined],
	['composer', 'Esc'],
])('while search words are typed and the focus is on %s, the way out is %s', (focus, key) => {
	const view = createViewStore({
		focus,
		shown: {kind: 'session', id: 's'},
		find: {sessionId: 's', isTyping: true} as never,
	});
	expect(wayOutKey(view.getState(), createKeyMap())).toBe(key);
});
