import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {createHttpService} from '../../src/api/http/http-service.ts';
import type {Service} from '../../src/api/service.ts';
import {socketAddress} from '../../src/local/socket-address.ts';
import {startLocalService} from '../../src/local/start-local-service.ts';
import {startModel} from './model.ts';
import {check, childrenOf, findings, runStories, storyTools, until} from './stories.ts';

/**
 * `node test/real-agents/run.ts [claude codex gemini opencode]`: installs the real clients and runs them through the
 * embedded service against a stand-in for their models. Prints each finding; ends with 1 when one is missed.
 * `REAL_AGENTS_BIN` names a folder of installed clients, to use these.
 */

const packages: Readonly<Record<string, string>> = {
	claude: '@anthropic-ai/claude-code@2.1.330',
	codex: '@openai/codex@0.169.0',
	gemini: '@google/gemini-cli@0.61.0',
	opencode: 'opencode-ai@1.18.33',
};
const mcpServer = resolve(import.meta.dirname, 'mcp-server.ts');
const named = process.argv.slice(2);
const agents = named.length > 0 ? named : Object.keys(packages);

const top = realpathSync(mkdtempSync(join(tmpdir(), 'quarterdeck-agents-')));
const home = join(top, 'home');
const work = join(top, 'work');
for (const folder of [
	home,
	work,
	join(home, '.codex'),
	join(home, '.gemini'),
	join(home, '.config/opencode'),
])
	mkdirSync(folder, {recursive: true});
const model = await startModel();

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
	const shop = {command: process.execPath, args: [mcpServer]};
	const claude = {hasCompletedOnboarding: true, mcpServers: {shop}, projects: {[work]: trusted}};
	writeFileSync(join(home, '.claude.json'), JSON.stringify(claude));
	writeFileSync(join(home, '.gemini/trustedFolders.json'), JSON.stringify({[work]: 'TRUST_FOLDER'}));
	const provider = `base_url = "${model.url}/v1"\nwire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n`;
	const codex = `model = "mock"\nmodel_provider = "mock"\n[model_providers.mock]\nname = "mock"\n${provider}[mcp_servers.shop]\ncommand = "${shop.command}"\nargs = ["${mcpServer}"]\n`;
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

try {
	isolate(install());
	process.chdir(work);
	const local = await startLocalService({folder: join(top, 'service')});
	const service = createHttpService({address: socketAddress(join(top, 'service'))});
	const {id} = await service.computers.create({name: 'box', remoteUser: 'me'});
	await until(async () => (await service.computers.get(id)).status === 'active');
	for (const agent of agents)
		await runStories(storyTools(agent, service, id)).catch(error =>
			check(agent, 'runs to the end', false, `${error}`),
		);
	await runTogether(service, id).catch(error => check('all', 'run together', false, `${error}`));
	await service.close();
	await local.close();
	check('all', 'nothing is left running', childrenOf(process.pid).length === 0);
} finally {
	model.close();
	process.chdir('/');
	rmSync(top, {recursive: true, force: true, maxRetries: 5});
}
process.exit(findings.missed > 0 ? 1 : 0);
