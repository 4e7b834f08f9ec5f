import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import type {Service} from '../../../src/api/service.ts';
import type {Message} from '../../../src/domain/messages/message.ts';
import {claudeTranscript} from '../../../src/transcripts/transcript-file.ts';
import {startTestService, temporaryFolder} from '../../support/local-service.ts';
import {createReadyComputer} from '../../support/sessions.ts';
import {agentLine, noteLine, toolLines, userLine} from '../../support/transcripts.ts';

test('one session at a time continues a conversation; an archived one no longer counts', async () => {
	const {service} = await startTestService();
	const computerId = await createReadyComputer(service);
	const draft = {computerId, agent: 'claude', resume: 'conversation-1'};
	const isTaken = {status: 409, what: expect.stringContaining('already continues this conversation')};
	const attempts = await Promise.allSettled([service.sessions.create(draft), service.sessions.create(draft)]);
	const refused = attempts.filter(attempt => attempt.status === 'rejected');
	expect(refused).toMatchObject([{reason: isTaken}]);
	const [made] = attempts.flatMap(attempt =>
		attempt.status === 'fulfilled' ? [attempt.value.sessionId] : [],
	);
	expect(`${refused[0]?.reason.what}`).toContain(`${made}`);
	await service.sessions.create({...draft, resume: 'conversation-2'});
	await service.sessions.create({...draft, agent: 'codex'});
	await service.sessions.update(`${made}`, {sessionSettings: {archivedAt: '2026-11-01T00:00:00Z'}});
	await service.sessions.create(draft);
	await expect(service.sessions.create(draft)).rejects.toMatchObject(isTaken);
});

/** Oldest first. */
async function allMessages({messages}: Service, sessionId: string): Promise<Message[]> {
	const all: Message[] = [];
	let cursor: string | undefined;
	do {
		const {items, nextCursor} = await messages.list(sessionId, {limit: 100, ...(cursor && {cursor})});
		all.push(...items);
		cursor = nextCursor;
	} while (cursor);
	return all.toReversed();
}

/** A conversation that Claude Code has kept, and a session that continues it. */
async function continueConversation(lines: string) {
	const [settings, cwd] = [temporaryFolder(), temporaryFolder()];
	vi.stubEnv('CLAUDE_CONFIG_DIR', settings);
	onTestFinished(() => void vi.unstubAllEnvs());
	const path = claudeTranscript(settings, {cwd, sessionId: 'talk'});
	mkdirSync(dirname(path), {recursive: true});
	writeFileSync(path, lines);
	const {service} = await startTestService();
	const computerId = await createReadyComputer(service);
	const session = await service.sessions.create({computerId, agent: 'claude', cwd, resume: 'talk'});
	const messages = await allMessages(service, session.sessionId);
	return {path, session, messages};
}

test('a session that continues a conversation has its messages', async () => {
	const image = {type: 'image', source: {type: 'base64', media_type: 'image/png', data: 'AAAA'}};
	const {session, messages} = await continueConversation(
		noteLine() +
			userLine('what is here?') +
			agentLine([{type: 'thinking', thinking: 'I look.'}]) +
			toolLines('call-1', 'Bash', {command: 'ls'}, 'a.txt') +
			agentLine('for a sub-agent', {isSidechain: true}) +
			userLine('hidden', {isMeta: true}) +
			userLine([{type: 'text', text: 'and this?'}, image]) +
			agentLine('A picture.'),
	);
	expect(session).toMatchObject({conversation: 'talk', messageCount: 6, status: 'idle'});
	expect(messages.map(({content}) => content)).toMatchObject([
		[{text: 'what is here?'}],
		[{type: 'thinking', thinking: 'I look.'}],
		[{type: 'tool_use', id: 'call-1', name: 'Bash', input: {command: 'ls'}}],
		[{type: 'tool_result', tool_use_id: 'call-1', content: 'a.txt'}],
		[{text: 'and this?'}, {text: '[image]'}],
		[{text: 'A picture.'}],
	]);
	const times = messages.map(({createdAt = 0}) => createdAt);
	expect(times).toEqual(times.toSorted((a, b) => a - b));
	expect(session.updatedAt).toBeGreaterThan(times.at(-1) ?? 0);
});

test('of a long conversation it has the newest messages, and says where the others are', async () => {
	const lines = Array.from({length: 510}, (_, index) => userLine(`question ${index}`));
	const {path, session, messages} = await continueConversation(lines.join(''));
	expect(session.messageCount).toBe(501);
	expect(messages.at(-1)).toMatchObject({content: [{text: 'question 509'}]});
	expect(messages[0]).toMatchObject({content: [{text: `[older messages are only in ${path}]`}]});
	expect(messages[1]).toMatchObject({content: [{text: 'question 10'}]});
});
