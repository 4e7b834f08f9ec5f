import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {readProcStat} from '../../hooks/proc-stat.ts';
import {createHttpService} from '../../src/api/http-service.ts';
import type {Service} from '../../src/api/service.ts';
import {socketAddress} from '../../src/local/socket-address.ts';
import {startLocalService} from '../../src/local/start-local-service.ts';
import {startModel} from './model.ts';

/**
 * `node test/real-agents/run.ts [claude codex gemini opencode]`: installs the real clients and runs them through the
 * embedded service against a stand-in for their models. Prints each finding; ends with 1 when one is missed.
 * `REAL_AGENTS_BIN` names a folder of installed clients, to use these.
 */

const packages: Readonly<Record<string, string>> = {
	claude: '@anthropic-ai/claude-code@2.1.197',
	codex: '@openai/codex@0.169.0',
	gemini: '@google/gemini-cli@0.61.0',
	opencode: 'opencode-ai@1.18.33',
};
const named = process.argv.slice(2);
const agents = named.length > 0 ? named : Object.keys(packages);

const top = realpathSync(mkdtempSync(join(tmpdir(), 'quarterdeck-agents-')));
const home = join(top, 'home');
const work = join(top, 'work');
for (const folder of [home, work, join(home, '.codex'), join(home, '.config/opencode')])
	mkdirSync(folder, {recursive: true});
const model = await startModel();
let missed = 0;
/** A PNG of one pixel. */
const dot =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function install(): string {
	if (process.env.REAL_AGENTS_BIN) return process.env.REAL_AGENTS_BIN;
	const args = ['install', '--prefix', top, '--no-audit', '--no-fund'];
	execFileSync('npm', [...args, ...agents.flatMap(agent => packages[agent] ?? [])], {stdio: 'inherit'});
	return join(top, 'node_modules/.bin');
}

/** An environment in which the clients know no account and reach nothing but the stand-in. */
function isolate(bin: string): void {
	for (const name of Object.keys(process.env))
		if (/^(ANTHROPIC|CLAUDE|OPENAI|GEMINI|GOOGLE|XDG|QUARTERDECK)_/.test(name)) delete process.env[name];
	Object.assign(process.env, {
		HOME: home,
		PATH: `${bin}:${process.env.PATH}`,
		ANTHROPIC_BASE_URL: model.url,
		ANTHROPIC_AUTH_TOKEN: 'any',
		ANTHROPIC_MODEL: 'mock',
		ANTHROPIC_SMALL_FAST_MODEL: 'mock',
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
		CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
		CLAUDE_CODE_MAX_RETRIES: '1',
		DISABLE_AUTOUPDATER: '1',
		DISABLE_TELEMETRY: '1',
		DISABLE_ERROR_REPORTING: '1',
		OPENAI_API_KEY: 'any',
		GEMINI_API_KEY: 'any',
		GOOGLE_GEMINI_BASE_URL: model.url,
	});
	const trusted = {hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true};
	const claude = {hasCompletedOnboarding: true, projects: {[work]: trusted}};
	writeFileSync(join(home, '.claude.json'), JSON.stringify(claude));
	const provider = `base_url = "${model.url}/v1"\nwire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n`;
	const codex = `model = "mock"\nmodel_provider = "mock"\n[model_providers.mock]\nname = "mock"\n${provider}`;
	writeFileSync(join(home, '.codex/config.toml'), codex);
	const mock = {
		npm: '@ai-sdk/openai-compatible',
		options: {baseURL: `${model.url}/v1`, apiKey: 'any'},
		models: {mock: {attachment: true, modalities: {input: ['text', 'image'], output: ['text']}}},
	};
	const opencode = {
		provider: {mock},
		model: 'mock/mock',
		small_model: 'mock/mock',
		permission: {bash: 'ask', edit: 'ask'},
		autoupdate: false,
	};
	writeFileSync(join(home, '.config/opencode/opencode.json'), JSON.stringify(opencode));
}

async function until<T>(read: () => Promise<T | undefined | false>, limit = 60_000): Promise<T> {
	const end = Date.now() + limit;
	for (;;) {
		const found = await read();
		if (found) return found;
		if (Date.now() > end) throw new Error(`it did not happen in time: ${read}`);
		await new Promise(resolve => setTimeout(resolve, 50));
	}
}

function check(agent: string, what: string, isGood: boolean, found = ''): void {
	if (!isGood) missed++;
	process.stdout.write(
		`${isGood ? 'ok    ' : 'MISSED'} ${agent}: ${what}${found && ` (${found.replaceAll('\n', ' ')})`}\n`,
	);
}

async function runStories(agent: string, service: Service, computerId: string): Promise<void> {
	const create = async () => (await service.sessions.create({computerId, cwd: work, agent})).sessionId;
	const story = async (id: string) => {
		const {items} = await service.messages.list(id, {limit: 100});
		return items
			.toReversed()
			.flatMap(({content = []}) => content.map(({text, content: result}) => `${text ?? result ?? ''}`))
			.join('\n');
	};
	const isIdle = async (id: string) => (await service.sessions.update(id, {})).status === 'idle';
	const send = (id: string, text: string) => service.messages.add(id, {text});
	const settle = (id: string) => until(() => isIdle(id));
	const request = (id: string) => until(async () => (await service.agentRequests.list(id))[0]);
	/** Settles a turn that should ask for nothing; denies what it asks for. */
	const settleUnasked = async (id: string, what: string) => {
		const asked = await until(async () => {
			const [request] = await service.agentRequests.list(id);
			return request ?? ((await isIdle(id)) && 'nothing');
		});
		check(agent, what, asked === 'nothing', asked === 'nothing' ? '' : `${asked.tool} ${asked.text}`);
		if (asked !== 'nothing') await service.agentRequests.answer(id, asked.id, {option: 'no'});
		await settle(id);
	};
	const made = join(work, 'made-by-tool');
	const text = agent === 'codex' ? 'TOOL with escalation' : 'TOOL';

	const id = await create();
	await send(id, text);
	const asked = await request(id);
	check(agent, 'asks for the command', asked.text?.includes('touch made-by-tool') === true, asked.text);
	await service.agentRequests.answer(id, asked.id, {option: 'no', words: 'not now'});
	await settle(id);
	check(agent, 'a denied command is not run', !existsSync(made));
	await send(id, text);
	await service.agentRequests.answer(id, (await request(id)).id, {option: 'once'});
	await settle(id);
	check(agent, 'an allowed command is run', existsSync(made));
	check(agent, 'its result reaches the model', (await story(id)).includes('RESULT-SEEN'));
	rmSync(made, {force: true});
	const {sessionSettings} = await service.sessions.update(id, {});
	const {inputTokens = 0, outputTokens = 0} = sessionSettings?.tokenUsage ?? {};
	const isCounted = inputTokens > 0 && inputTokens % 1234 === 0 && outputTokens % 42 === 0;
	check(agent, 'tokens are counted', isCounted, `${inputTokens} in, ${outputTokens} out`);

	await send(id, 'SLOW');
	const sentAt = Date.now();
	await until(async () => (await story(id)).includes('word1 '));
	check(agent, 'text appears within 2 s', Date.now() - sentAt < 2000, `${Date.now() - sentAt} ms`);
	await until(async () => (await story(id)).includes('word3 '));
	const interruptedAt = Date.now();
	await service.agentRequests.interrupt(id);
	await settle(id);
	check(agent, 'idle within 1 s of an interrupt', Date.now() - interruptedAt < 1000);
	check(agent, 'what was written stays', (await story(id)).includes('word3 '));
	await send(id, 'after the interrupt');
	await settle(id);
	const afterInterrupt = await story(id);
	const isAnswered = afterInterrupt.includes('You said: after the interrupt');
	check(agent, 'the next message is answered', isAnswered, isAnswered ? '' : afterInterrupt);

	if (agent === 'claude') {
		await send(id, 'WRITE');
		const write = await request(id);
		check(agent, 'a file is asked for with its diff', /\+hello\n\+world/.test(write.text ?? ''));
		await service.agentRequests.answer(id, write.id, {option: 'no'});
		await settle(id);
		await send(id, 'ASK');
		const question = await request(id);
		await service.agentRequests.answer(id, question.id, {option: 'once', words: 'Blue'});
		await settle(id);
		check(agent, 'the answer to a question reaches the model', /="Blue"/.test(await story(id)));
		const {sessionId: editor} = await service.sessions.create({
			...{computerId, cwd: work, agent},
			mode: 'accept-edits',
		});
		await send(editor, 'WRITE');
		await settle(editor);
		check(agent, 'with edits accepted a file is written unasked', existsSync(join(work, 'new.txt')));
	}

	if (agent === 'claude') {
		const {sessionId: planner} = await service.sessions.create({
			...{computerId, cwd: work, agent},
			mode: 'plan',
		});
		await send(planner, 'PLAN');
		const plan = await request(planner);
		check(agent, 'a plan is shown as text', plan.text?.startsWith('# The plan\n') === true);
		await service.agentRequests.answer(planner, plan.id, {option: 'no', words: 'a smaller one'});
		await settle(planner);
		check(agent, 'what is wrong with a plan reaches it', (await story(planner)).includes('a smaller one'));
		await send(planner, 'PLAN');
		await service.agentRequests.answer(planner, (await request(planner)).id, {option: 'once'});
		await settle(planner);
		const {mode} = await service.sessions.update(planner, {});
		check(agent, 'an approved plan ends the plan mode', mode === 'ask', mode);

		const several = await create();
		await send(several, 'TWO');
		const both = await until(async () => {
			const open = await service.agentRequests.list(several);
			return open.length === 2 && open;
		});
		const [first, second] = both;
		await service.agentRequests.answer(several, second?.id ?? '', {option: 'no', words: 'not the second'});
		await service.agentRequests.answer(several, first?.id ?? '', {option: 'no', words: 'not the first'});
		await settle(several);
		const answers = (await service.messages.list(several, {role: 'tool'})).items
			.flatMap(({content = []}) => content.map(({tool_use_id: id, content: words}) => `${id} ${words}`))
			.sort();
		const isOwn = /_0 not the first$/.test(answers[0] ?? '') && /_1 not the second$/.test(answers[1] ?? '');
		check(agent, 'of two requests at once, each gets its own answer', isOwn, `${answers}`);
	}

	const queued = await create();
	await send(queued, 'SLOW');
	await until(async () => (await story(queued)).includes('word1 '));
	await send(queued, 'the first that waits');
	await send(queued, 'the second that waits');
	await service.agentRequests.interrupt(queued);
	await settle(queued);
	check(
		agent,
		'messages sent during a turn are answered in order',
		/You said: the first that waits[\s\S]*You said: the second that waits/.test(await story(queued)),
	);

	const remembering = await create();
	await send(remembering, 'the word is banana');
	await settle(remembering);
	await send(remembering, 'RECALL');
	await settle(remembering);
	const recalled = await story(remembering);
	check(agent, 'the second message remembers the first', recalled.includes('recalled: true'), recalled);

	const attached = await create();
	await service.messages.add(attached, {text: 'IMAGE', images: [{data: dot}]});
	await settle(attached);
	const withImage = await story(attached);
	check(agent, 'an image arrives as an image', /images: [1-9]/.test(withImage), withImage);
	const data = Buffer.from('words of the note').toString('base64');
	await service.messages.add(attached, {text: 'FILE', files: [{name: 'note.txt', data}]});
	await settle(attached);
	const withFile = await story(attached);
	check(agent, 'a file can be read', /files: in the prompt| is readable/.test(withFile), withFile);

	await send(attached, 'READ it');
	await settleUnasked(attached, 'reads an attached file without asking');
	const withRead = await story(attached);
	const isReadBack = withRead.includes('read: true');
	check(agent, 'reads an attached file by its own tool', isReadBack, isReadBack ? '' : withRead);

	for (const refusal of ['FAIL401', 'FAIL529']) {
		const failed = await create();
		await send(failed, refusal);
		await until(() => isIdle(failed), 240_000);
		await send(failed, 'after the failure');
		await settle(failed);
		const afterFailure = await story(failed);
		const isAlive = afterFailure.includes('You said: after the failure');
		check(agent, `${refusal} in the first turn is no end`, isAlive, afterFailure);
	}

	for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
		const killed = await create();
		await send(killed, 'SLOW');
		await until(async () => (await story(killed)).includes('word2 '));
		for (const pid of childrenOf(process.pid)) process.kill(-pid, signal);
		await settle(killed);
		await send(killed, 'after the kill');
		await settle(killed);
		const afterKill = await story(killed);
		const isAlive = afterKill.includes('You said: after the kill');
		check(agent, `${signal} in the first turn is no end`, isAlive, afterKill);
	}
}

/** All clients at once in one service: each grows beside the others. */
async function runTogether(service: Service, computerId: string): Promise<void> {
	const ids = await Promise.all(
		agents.map(async agent => {
			const {sessionId} = await service.sessions.create({computerId, cwd: work, agent});
			await service.messages.add(sessionId, {text: 'SLOW'});
			return sessionId;
		}),
	);
	const words = async (id: string) =>
		JSON.stringify((await service.messages.list(id, {})).items).match(/word\d+ /g)?.length ?? 0;
	await until(async () => (await Promise.all(ids.map(words))).every(count => count >= 3));
	await Promise.all(ids.map(id => service.agentRequests.interrupt(id)));
	await until(async () =>
		(await Promise.all(ids.map(id => service.sessions.update(id, {})))).every(
			({status}) => status === 'idle',
		),
	);
	check('all', 'work at once in one service', true);
}

/** The clients: this process starts nothing else that lasts. */
function childrenOf(parent: number): number[] {
	const out = execFileSync('ps', ['-o', 'pid=', '--ppid', `${parent}`], {encoding: 'utf8'});
	return out
		.trim()
		.split(/\s+/)
		.map(Number)
		.filter(pid => {
			const stat = readProcStat(pid);
			return stat?.group === pid && !stat.isDead;
		});
}

try {
	isolate(install());
	process.chdir(work);
	const local = await startLocalService({folder: join(top, 'service')});
	const service = createHttpService({address: socketAddress(local.socket, local.key)});
	const {id} = await service.computers.create({name: 'box', remoteUser: 'me'});
	await until(async () => (await service.computers.get(id)).status === 'active');
	for (const agent of agents)
		await runStories(agent, service, id).catch(error => check(agent, 'runs to the end', false, `${error}`));
	await runTogether(service, id).catch(error => check('all', 'run together', false, `${error}`));
	await service.close();
	await local.close();
	check('all', 'nothing is left running', childrenOf(process.pid).length === 0);
} finally {
	model.close();
	process.chdir('/');
	rmSync(top, {recursive: true, force: true, maxRetries: 5});
}
process.exit(missed > 0 ? 1 : 0);
