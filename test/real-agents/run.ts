import {mkdirSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createHttpService} from '../../src/api/http/http-client.ts';
import type {Service} from '../../src/api/service.ts';
import {socketAddress} from '../../src/local/socket-address.ts';
import {startLocalService} from '../../src/local/start-local-service.ts';
import {installClients, prepareClients} from './clients.ts';
import {startModel} from './model.ts';
import {check, childrenOf, findings, runStories, storyTools, until} from './stories.ts';

/**
 * `node test/real-agents/run.ts [claude codex gemini opencode]`: installs the real clients and runs them through the
 * embedded service against a stand-in for their models. Prints each finding; ends with 1 when one is missed.
 * `REAL_AGENTS_BIN` names a folder of installed clients, to use these.
 */

const named = process.argv.slice(2);
const agents = named.length > 0 ? named : ['claude', 'codex', 'gemini', 'opencode'];

const top = realpathSync(mkdtempSync(join(tmpdir(), 'quarterdeck-agents-')));
const home = join(top, 'home');
const work = join(top, 'work');
for (const folder of [home, work]) mkdirSync(folder, {recursive: true});
const model = await startModel();

/** An environment in which the clients know no account and reach nothing but the stand-in. */
function isolate(bin: string): void {
	for (const name of Object.keys(process.env))
		if (/^(ANTHROPIC|CLAUDE|OPENAI|GEMINI|GOOGLE|XDG|QUARTERDECK)_/.test(name)) delete process.env[name];
	Object.assign(process.env, prepareClients(home, work, model.url), {PATH: `${bin}:${process.env.PATH}`});
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
	isolate(installClients(top, agents));
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
