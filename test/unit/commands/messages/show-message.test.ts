import {expect, test} from 'vitest';
import {createMessagePrinter, plainAnswer} from '../../../../src/commands/messages/show-message.ts';
import type {Output} from '../../../../src/commands/output/output.ts';
import type {MessageRole} from '../../../../src/domain/messages/message.ts';
import {sessionMarkdown} from '../../../../src/text/messages/session-markdown.ts';
import {knownSession} from '../../../support/fleet.ts';

test('writes out all parts of a message, even those that the screen only counts', () => {
	const texts = Array.from({length: 300}, (_, part) => `part ${part}`);
	const message = {id: 'm', role: 'assistant', content: texts.map(text => ({type: 'text', text}))} as const;
	const item = {id: 'm', version: 1, message, role: 'assistant'} as const;
	expect(plainAnswer(item).split('\n')).toEqual(texts);
	expect([...sessionMarkdown('s', undefined, [item])].join('\n')).toContain('part 299');
});

test('an exported session names the folder that the service says it works in', () => {
	const known = knownSession('s', {session: {sessionId: 's', cwd: '/srv/shop'}});
	expect([...sessionMarkdown('s', known, [])].join('\n')).toContain('Session `s` in `/srv/shop`');
});

test('shows output that was drawn again as a terminal leaves it, and what the user wrote line by line', () => {
	const text = `${'10 %\r'.repeat(300)}100 %\n\u001b[2Kx\u001b[1Gdone`;
	const itemOf = (role: MessageRole) => ({
		id: role,
		version: 1,
		message: {id: role, content: [{text}]},
		role,
	});
	expect(plainAnswer(itemOf('assistant'))).toBe('100 %\ndone');
	expect(plainAnswer(itemOf('user')).split('\n')).toHaveLength(302);
	const lines: string[] = [];
	const output = {isJson: false, line: (line: string) => void lines.push(line)} as unknown as Output;
	createMessagePrinter(output, 's')([itemOf('tool')]);
	expect(lines.at(-1)).toBe('100 %\ndone\n');
});
