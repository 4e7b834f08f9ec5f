import {expect, test} from 'vitest';
import {lineText} from '../../../src/text/cells/line.ts';
import {RowCache} from '../../../src/text/messages/row-cache.ts';
import {itemRows} from '../../../src/ui/stream/item-rows.ts';
import {streamItems} from '../../../src/ui/stream/stream-items.ts';

test('messages of one id in two sessions have their own text', () => {
	const cache = new RowCache();
	const drawn = (sessionId: string, text: string) => {
		const message = {id: 'm', role: 'user', content: [{type: 'text', text}]} as const;
		const [item] = streamItems([{kind: 'message', id: 'm', version: 1, message, role: 'user'}], []);
		if (!item) throw new Error('There is one item.');
		return itemRows(cache, sessionId, item, 80, false, {label: () => 'k' as never})
			.map(lineText)
			.join();
	};
	expect(drawn('a', 'the text of a')).toContain('the text of a');
	expect(drawn('b', 'the text of b')).toContain('the text of b');
});
