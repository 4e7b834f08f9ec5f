import {expect, test} from 'vitest';
import type {OutboxItem} from '../../../src/domain/messages/delivery.ts';
import {lineText} from '../../../src/text/cells/line.ts';
import {matchesIn} from '../../../src/ui/stream/finding.ts';
import {currentStream} from '../../../src/ui/stream/stream-now.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {outboxItem} from '../../support/fleet.ts';

test("looking for words in a message of ours doesn't change how it is drawn", () => {
	const parts = appParts(fakeClock());
	const message = {id: 'm', role: 'user', content: [{type: 'text', text: 'find me'}]} as const;
	const entry = {kind: 'message', id: 'm', version: 1, message, role: 'user'} as const;
	const own: OutboxItem = outboxItem({text: 'find me', state: 'seen', createdAt: 0, messageId: 'm'});
	parts.stores.streams.setState({open: new Map([['s', {entries: [entry]}]])} as never);
	parts.stores.outbox.setState({bySession: new Map([['s', [own]]])} as never);
	parts.view.setState({shown: {kind: 'session', id: 's'}, focus: 'main'});
	const find = {sessionId: 's', words: 'find', isTyping: false, count: 1, newer: 0, isSearching: false};
	expect(matchesIn(parts, find, 'm').matches.startRows).toEqual([0]);
	const stream = currentStream(parts);
	expect(stream?.linesAt(0).map(lineText).join('\n')).toMatch(/you .* ✓ seen *\n +find me *$/);
});
