import {expect, test} from 'vitest';
import {sessionMarkdown} from '../../../../src/commands/messages/export-session.ts';
import {plainAnswer} from '../../../../src/commands/messages/show-message.ts';
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
