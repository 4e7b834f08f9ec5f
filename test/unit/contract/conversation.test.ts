import {randomUUID} from 'node:crypto';
import {existsSync, realpathSync, writeFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {pagesOf} from '../../../src/api/pages.ts';
import {eventually} from '../../support/eventually.ts';
import {createRepository, packageFiles} from '../../support/git-repository.ts';
import {sharedTestServices, temporaryFolder} from '../../support/local-service.ts';
import {scriptAgent} from '../../support/replayed-agents.ts';
import {
	createReadyComputer,
	createSession,
	readAll,
	textOf,
	whenAnswer,
	whenIdle,
} from '../../support/sessions.ts';

const shared = sharedTestServices();

const untilGate = (gate: string) => `while [ ! -e ${gate} ]; do sleep 0.02; done`;

test('the answer grows while its command runs', async () => {
	const {service} = await shared();
	const sessionId = await createSession(service);
	const gate = join(temporaryFolder(), 'gate');

	const {messageId, status} = await service.messages.add(sessionId, {
		text: `printf one; ${untilGate(gate)}; printf two`,
	});
	expect(status).toBe('running');
	const half = await whenAnswer(service, sessionId, messageId, answer => textOf(answer) === 'one');
	expect((await service.sessions.update(sessionId, {})).status).toBe('running');

	writeFileSync(gate, '');
	const whole = await whenAnswer(service, sessionId, messageId, answer => textOf(answer) === 'onetwo');
	expect(whole.id).toBe(half.id);
	expect(Number(whole.updatedAt)).toBeGreaterThan(Number(half.updatedAt));
	expect(whole.isError).toBe(false);
	expect(whole.isOutput).toBe(true);

	await whenIdle(service, sessionId);
	const session = await service.sessions.update(sessionId, {});
	expect(session.messageCount).toBe(2);
	expect(session.title).toContain('printf one');
	expect(Number(session.completedAt)).toBeGreaterThanOrEqual(Number(session.createdAt));
});

test('a message to a running session waits its turn', async () => {
	const {service} = await shared();
	const sessionId = await createSession(service);
	const gate = join(temporaryFolder(), 'gate');

	const first = await service.messages.add(sessionId, {text: `${untilGate(gate)}; echo first`});
	const second = await service.messages.add(sessionId, {text: 'echo second'});
	const third = await service.messages.add(sessionId, {text: 'echo third'});
	expect([first.status, second.status, third.status]).toEqual(['running', 'pending', 'pending']);
	const waiting = async () => (await readAll(service, sessionId)).flatMap(({isWaiting}) => isWaiting ?? []);
	expect(await waiting()).toEqual([false, true, true]);

	writeFileSync(gate, '');
	const answers = await eventually(async () => {
		const found = (await readAll(service, sessionId)).filter(({parentId}) => parentId !== undefined);
		expect(found).toHaveLength(3);
		return found;
	});
	expect(answers.map(textOf)).toEqual(['first\n', 'second\n', 'third\n']);
	expect(await waiting()).toEqual([false, false, false]);
	expect(answers.map(({parentId}) => parentId)).toEqual([first.messageId, second.messageId, third.messageId]);
});

test('pages of any size give each message once, in the order of the service', async () => {
	const {service} = await shared();
	const sessionId = await createSession(service);
	for (let n = 0; n < 5; n++) await service.messages.add(sessionId, {text: `echo ${n}`});
	await whenIdle(service, sessionId);
	await eventually(async () => expect((await readAll(service, sessionId)).length).toBe(10));

	for (const limit of [1, 3, 10, 100]) {
		const ids: string[] = [];
		const pages = pagesOf(query => service.messages.list(sessionId, query), {limit});
		for await (const page of pages) ids.push(...page.items.map(({id}) => id));
		const all = (await service.messages.list(sessionId, {limit: 100})).items.map(({id}) => id);
		expect(ids).toEqual(all);
		expect(new Set(ids).size).toBe(10);
	}

	const users = await service.messages.list(sessionId, {role: 'user', limit: 100});
	const texts = users.items.map(textOf);
	expect(texts).toEqual(['echo 4', 'echo 3', 'echo 2', 'echo 1', 'echo 0']);
	const answers = await service.messages.list(sessionId, {role: 'assistant', limit: 100});
	expect(answers.items.map(textOf).toSorted()).toEqual(['0\n', '1\n', '2\n', '3\n', '4\n']);
});

test('a command that fails says how it ended, below its outputs in their order', async () => {
	const {service} = await shared();
	const sessionId = await createSession(service);
	const failed = await service.messages.add(sessionId, {
		text: 'for n in 1 2 3; do echo out $n; echo err $n >&2; done; exit 3',
	});
	const answer = await whenAnswer(service, sessionId, failed.messageId, ({isError}) => isError === true);
	expect(textOf(answer)).toBe('out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n[exit 3]');
	const killed = await service.messages.add(sessionId, {text: 'kill -9 $$'});
	expect(
		textOf(await whenAnswer(service, sessionId, killed.messageId, ({isError}) => isError === true)),
	).toBe('[ended by SIGKILL]');
	const silent = await service.messages.add(sessionId, {text: 'true'});
	const nothing = await whenAnswer(service, sessionId, silent.messageId, answer => textOf(answer) !== '');
	expect([textOf(nothing), nothing.isError]).toEqual(['[no output]', false]);
});

test('many sessions run at once without a warning from the runtime', async () => {
	const warnings: string[] = [];
	const onWarning = (warning: Error) => void warnings.push(warning.message);
	process.on('warning', onWarning);
	onTestFinished(() => void process.off('warning', onWarning));
	const {service} = await shared();
	const computerId = await createReadyComputer(service);
	const gate = join(temporaryFolder(), 'gate');
	const sessionIds = await Promise.all(
		Array.from({length: 14}, async () => (await service.sessions.create({computerId})).sessionId),
	);
	const posts = sessionIds.map(id =>
		service.messages.add(id, {text: `while [ ! -e ${gate} ]; do sleep 0.2; done`}),
	);
	expect((await Promise.all(posts)).map(({status}) => status)).toEqual(Array(14).fill('running'));
	writeFileSync(gate, '');
	await Promise.all(sessionIds.map(id => whenIdle(service, id)));
	expect(warnings).toEqual([]);
});

test('saves attachments for the agent under safe names, and lists them with their message', async () => {
	const {service, folder} = await shared();
	const sessionId = await createSession(service);
	const data = Buffer.from('contents').toString('base64');
	const {messageId} = await service.messages.add(sessionId, {
		text: 'printf "%s\\n" "$ATTACHMENTS"; cat "$(printf "%s" "$ATTACHMENTS" | tail -1)"',
		images: [{data: Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')}],
		files: [{name: '../../../etc/-notes.txt', data}],
	});
	const answer = await whenAnswer(service, sessionId, messageId, each => textOf(each).endsWith('contents'));
	const [image = '', file = ''] = textOf(answer).split('\n');
	expect(image).toBe(join(folder, 'sessions', sessionId, messageId, 'image-1.png'));
	expect(file).toBe(join(folder, 'sessions', sessionId, messageId, '1-notes.txt'));
	expect(existsSync(file)).toBe(true);
	const {items} = await service.messages.list(sessionId, {limit: 100});
	const sent = items.find(({id}) => id === messageId);
	expect(sent?.content?.slice(1)).toMatchObject([
		{type: 'image', name: 'image-1.png', bytes: 8},
		{type: 'document', name: 'notes.txt', bytes: 8},
	]);
});

test('messages to a computer that is being provisioned wait until it is up', async () => {
	const {service} = await shared();
	const gate = join(temporaryFolder(), 'gate');
	scriptAgent('npm', untilGate(gate));
	const {url} = createRepository(packageFiles());
	const {id} = await service.computers.create({
		name: 'b',
		remoteUser: 'me',
		repos: [url],
		autoInstallDeps: true,
	});
	const {sessionId} = await service.sessions.create({computerId: id});
	const {messageId, status} = await service.messages.add(sessionId, {text: 'pwd'});
	expect(status).toBe('pending');
	expect((await service.sessions.update(sessionId, {})).status).toBe('pending');
	writeFileSync(gate, '');
	const answer = await whenAnswer(service, sessionId, messageId, each => textOf(each) !== '');
	expect(textOf(answer)).toContain(`${join('computers', id, 'workspace', 'project')}\n`);
});

test('a message whose post is repeated with its key is added and run once, in its session only', async () => {
	const {service} = await shared();
	const [sessionId, other] = [await createSession(service), await createSession(service)];
	const text = 'echo ran';
	const idempotencyKey = randomUUID();
	const post = (session: string, key: string) => service.messages.add(session, {text}, {idempotencyKey: key});
	const [first, again] = await Promise.all([
		post(sessionId, idempotencyKey),
		post(sessionId, idempotencyKey.toUpperCase()),
	]);
	expect(again.messageId).toBe(first.messageId);
	await whenAnswer(service, sessionId, first.messageId, answer => textOf(answer) === 'ran\n');
	await whenIdle(service, sessionId);
	expect(await post(sessionId, idempotencyKey)).toMatchObject({messageId: first.messageId});
	expect((await service.sessions.update(sessionId, {})).messageCount).toBe(2);
	await expect(post(other, idempotencyKey)).rejects.toMatchObject({status: 409});
	await expect(post(other, '../x')).rejects.toMatchObject({status: 400});
});

test("sessions keep their settings and refuse a folder that doesn't exist", async () => {
	const {service} = await shared();
	const computerId = await createReadyComputer(service);
	const {name} = await service.computers.get(computerId);
	const folder = temporaryFolder();
	await expect(service.sessions.create({computerId, cwd: `${folder}/gone`})).rejects.toMatchObject({
		what: `${folder}/gone is not a folder on ${name}.`,
		hint: '',
	});
	const session = await service.sessions.create({
		computerId,
		cwd: folder,
		sessionSettings: {model: 'm', tags: [{name: 'one'}]},
	});
	expect(session).toMatchObject({status: 'idle', messageCount: 0, computerId});
	const atHome = await service.sessions.create({computerId, cwd: '~'});
	expect(atHome.cwd).toBe(realpathSync(homedir()));
	const patched = await service.sessions.update(session.sessionId, {
		sessionSettings: {archivedAt: '2026-11-01T00:00:00Z'},
	});
	expect(patched.sessionSettings).toEqual({
		model: 'm',
		tags: [{name: 'one'}],
		archivedAt: '2026-11-01T00:00:00Z',
	});
});
