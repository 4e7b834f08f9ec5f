import {type ChildProcess, spawn} from 'node:child_process';
import {cpSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, onTestFinished, test, vi} from 'vitest';
import {createHttpService} from '../../../src/api/http/http-client.ts';
import type {Secret} from '../../../src/config/secret.ts';
import {LocalServiceError} from '../../../src/local/local-error.ts';
import {socketAddress} from '../../../src/local/socket-address.ts';
import {startLocalService} from '../../../src/local/start-local-service.ts';
import {eventually} from '../../support/eventually.ts';
import {portOf, startTestService, temporaryFolder} from '../../support/local-service.ts';
import {callRaw} from '../../support/raw-call.ts';
import {
	createSession,
	isProcessAlive,
	readAll,
	textOf,
	whenAnswer,
	whenIdle,
	whenSettled,
} from '../../support/sessions.ts';

test('closing ends everything that a turn started', async () => {
	const {service, close} = await startTestService();
	const sessionId = await createSession(service);
	const {messageId} = await service.messages.add(sessionId, {
		text: 'echo $$; sleep 1000 & echo $!; (trap "" TERM; exec sleep 1000) & echo $!; echo up; wait',
	});
	const answer = await whenAnswer(service, sessionId, messageId, each => textOf(each).includes('up'));
	const pids = textOf(answer).match(/\d+/g)?.map(Number) ?? [];
	expect(pids).toHaveLength(3);
	expect(pids.map(isProcessAlive)).toEqual([true, true, true]);
	await close();
	expect(pids.map(isProcessAlive)).toEqual([false, false, false]);
});

test('after a restart, everything is still there, interrupted turns say so, and waiting messages run', async () => {
	const folder = temporaryFolder();
	const first = await startTestService({folder});
	const sessionId = await createSession(first.service);
	const cut = await first.service.messages.add(sessionId, {text: 'echo begun; sleep 1000'});
	const waiting = await first.service.messages.add(sessionId, {text: 'echo later'});
	await whenAnswer(first.service, sessionId, cut.messageId, each => textOf(each) === 'begun\n');
	await first.close();

	const second = await startTestService({folder});
	expect(second.local.key.reveal()).not.toBe(first.local.key.reveal());
	await whenIdle(second.service, sessionId);
	const messages = await readAll(second.service, sessionId);
	const answerTo = (id: string) => messages.find(({parentId}) => parentId === id);
	expect(textOf(answerTo(cut.messageId))).toBe('begun\n[interrupted: the service was stopped]');
	expect(textOf(answerTo(waiting.messageId))).toBe('later\n');
	expect(messages).toHaveLength(4);

	const {messageId} = await second.service.messages.add(sessionId, {text: 'echo again'});
	expect(textOf(await whenAnswer(second.service, sessionId, messageId, () => true))).toBe('again\n');
});

test('a turn and a message that were cut off because the user quit say so, and are errors', async () => {
	const folder = temporaryFolder();
	const first = await startTestService({folder});
	const sessionId = await createSession(first.service);
	const {messageId} = await first.service.messages.add(sessionId, {text: 'echo begun; sleep 1000'});
	const waiting = await first.service.messages.add(sessionId, {text: 'echo never'});
	await whenAnswer(first.service, sessionId, messageId, each => textOf(each) === 'begun\n');
	await first.local.close(true);

	const {service} = await startTestService({folder});
	const messages = await readAll(service, sessionId);
	const answers = [messageId, waiting.messageId].map(id => messages.find(({parentId}) => parentId === id));
	expect(answers.map(textOf)).toEqual([
		'begun\n[interrupted: you stopped the service]',
		expect.stringMatching(/^\[not run: the service was stopped/),
	]);
	expect(answers.map(answer => answer?.isError)).toEqual([true, true]);
});

test('the next service ends what a killed one left running, and says so', async () => {
	const folder = temporaryFolder();
	const {child, ...elsewhere} = await startElsewhere(folder);
	const call = async (path: string, body: unknown) => {
		const {text} = await callRaw(elsewhere, 'POST', path, {body: JSON.stringify(body)});
		return JSON.parse(text) as Record<string, string>;
	};
	const computer = await call('/api/v0/computers', {name: 'box', remoteUser: 'me'});
	const session = await call('/api/v0/sessions', {computerId: computer.id});
	const sessionId = session.sessionId ?? '';
	const before = createHttpService({address: socketAddress(folder)});
	onTestFinished(() => before.close());
	await whenSettled(before, computer.id ?? '');
	const {messageId = ''} = await call(`/api/v0/sessions/${sessionId}/messages`, {
		text: 'echo $$; sleep 1000 & wait',
	});
	const answer = await whenAnswer(before, sessionId, messageId, each => textOf(each).endsWith('\n'));
	const pid = Number(textOf(answer));
	expect(isProcessAlive(pid)).toBe(true);
	const waiting = await call(`/api/v0/sessions/${sessionId}/messages`, {text: 'echo late'});

	child.kill('SIGKILL');
	await new Promise(resolve => child.once('exit', resolve));
	const {service} = await startTestService({folder});
	await whenIdle(service, sessionId);
	const answersTo = async (id = '') =>
		(await readAll(service, sessionId)).filter(({parentId}) => parentId === id).map(textOf);
	expect(await answersTo(messageId)).toContain('[interrupted: the service was stopped]');
	expect(await answersTo(waiting.messageId)).toEqual(['late\n']);
	await eventually(() => expect(isProcessAlive(pid)).toBe(false));
});

test('a computer whose service was killed after its last step comes up after a restart', async () => {
	const first = await startTestService({provisionsThisMachine: true});
	const [id = ''] = first.local.computerIds();
	const isUp = async ({service}: typeof first) =>
		eventually(async () => expect((await service.computers.get(id)).status).toBe('active'));
	await isUp(first);
	await first.close();
	const file = new DatabaseSync(join(first.folder, 'service.sqlite'));
	file.exec("UPDATE computers SET status = 'provisioning'");
	file.close();
	await isUp(await startTestService({folder: first.folder}));
});

test("a service over a copy of the folder leaves the original's processes alone", async () => {
	const {service, folder} = await startTestService();
	const sessionId = await createSession(service);
	const {messageId} = await service.messages.add(sessionId, {text: 'echo $$; exec sleep 1000'});
	const pid = Number(textOf(await whenAnswer(service, sessionId, messageId, each => textOf(each) !== '')));
	const copy = temporaryFolder();
	cpSync(folder, copy, {recursive: true});
	await startTestService({folder: copy});
	expect(isProcessAlive(pid)).toBe(true);
});

/** The service in a process of its own, which can be killed. */
async function startElsewhere(folder: string): Promise<{socket: string; key: Secret; child: ChildProcess}> {
	const module = new URL('../../../src/local/start-local-service.ts', import.meta.url).href;
	const script = `
		const {startLocalService} = await import(${JSON.stringify(module)});
		const {socket} = await startLocalService({folder: ${JSON.stringify(folder)}});
		console.log(socket);
	`;
	const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	onTestFinished(() => {
		child.kill('SIGKILL');
	});
	const line = await new Promise<string>(resolve =>
		child.stdout?.once('data', data => resolve(String(data))),
	);
	return {socket: line.trim(), key: socketAddress(folder).key, child};
}

test("says in one line why the service can't start", async () => {
	const folder = temporaryFolder();
	const {local} = await startTestService({folder, port: 0});
	const port = Number(new URL(portOf(local).url).port);
	const failures = [
		[() => startLocalService({folder: temporaryFolder(), port}), `port ${port} on 127.0.0.1 is taken`],
		[
			() => startLocalService({folder}),
			`the embedded service runs already, in process ${process.pid}, over ${folder}`,
		],
		[() => startLocalService({folder, agent: 'nobody'}), 'there is no agent "nobody"'],
		[() => startLocalService({folder: join(folder, 'service.sqlite', 'below')}), 'is a file, or below one'],
	] as const;
	for (const [failure, words] of failures) {
		const error = await failure().then(
			() => undefined,
			reason => reason,
		);
		expect(error).toBeInstanceOf(LocalServiceError);
		expect(error.message).toContain(words);
		expect(error.message).not.toContain('\n');
	}
});

test('any command can be the agent, with the message on its standard input; its computer announces it', async () => {
	const agent = 'cmd:tr a-z A-Z';
	const {service} = await startTestService({agent});
	const computer = await service.computers.create({name: 'box', remoteUser: 'me'});
	const session = await service.sessions.create({computerId: computer.id});
	expect([computer.agent, session.agent]).toEqual([agent, agent]);
	const {messageId} = await service.messages.add(session.sessionId, {text: '--help me'});
	const answer = await whenAnswer(service, session.sessionId, messageId, () => true);
	expect(textOf(answer)).toBe('--HELP ME');
	// A command of the user's own may answer in Markdown.
	expect(answer.isOutput).toBeUndefined();
});

test('a session that was created without a folder says which one it works in', async () => {
	const {service} = await startTestService();
	const computer = await service.computers.create({name: 'box', remoteUser: 'me'});
	const session = await service.sessions.create({computerId: computer.id});
	expect(session.cwd).toBe(computer.folder);
	const {messageId} = await service.messages.add(session.sessionId, {text: 'pwd -P'});
	const answer = await whenAnswer(service, session.sessionId, messageId, () => true);
	expect(textOf(answer)).toBe(`${session.cwd}\n`);
});

test("the answer says so if the agent isn't installed", async () => {
	vi.stubEnv('PATH', '/usr/bin:/bin');
	onTestFinished(() => {
		vi.unstubAllEnvs();
	});
	const {service} = await startTestService({agent: 'opencode'});
	const sessionId = await createSession(service);
	const {messageId} = await service.messages.add(sessionId, {text: 'hello'});
	const answer = await whenAnswer(service, sessionId, messageId, ({isError}) => isError === true);
	expect(textOf(answer)).toBe('opencode was not found on PATH: install it, or choose another agent');
});
