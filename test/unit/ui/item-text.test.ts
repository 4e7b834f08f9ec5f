import {expect, test} from 'vitest';
import {itemText} from '../../../src/ui/stream/stream-bindings.ts';

test('copies a message to its last part, however many the screen shows', () => {
	const texts = Array.from({length: 300}, (_, part) => `part ${part}`);
	const message = {id: 'm', content: texts.map(text => ({type: 'text', text}))};
	const entry = {kind: 'message', id: 'm', version: 1, message} as const;
	expect(itemText({id: 'm', version: 1, entry}).split('\n')).toEqual(texts);
});
