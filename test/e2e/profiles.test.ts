import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {portOf, startTestService, type TestService} from '../support/local-service.ts';
import {emptyHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';

const size = {columns: 120, rows: 34};

async function sessionOf({service, local}: TestService): Promise<string> {
	const computer = await service.computers.create({name: 'box', remoteUser: 'me'});
	const {sessionId} = await service.sessions.create({computerId: computer.id});
	expect(portOf(local).url).toContain('127.0.0.1');
	return sessionId;
}

/** Two services, each with a session, as profiles of one configuration. */
async function twoServices() {
	const env = emptyHome();
	const folder = join(env.HOME ?? '', '.config/quarterdeck');
	mkdirSync(folder, {recursive: true});
	const acme = await startTestService({port: 0});
	const beta = await startTestService({port: 0});
	const keyFile = join(env.HOME ?? '', 'acme-key');
	writeFileSync(keyFile, portOf(acme.local).key, {mode: 0o600});
	writeFileSync(join(env.HOME ?? '', 'beta-key'), portOf(beta.local).key, {mode: 0o600});
	writeFileSync(
		join(folder, 'config.json'),
		JSON.stringify({
			profile: 'acme',
			profiles: {
				acme: {baseUrl: portOf(acme.local).url, keyFile},
				beta: {baseUrl: portOf(beta.local).url, keyCommand: ['cat', join(env.HOME ?? '', 'beta-key')]},
			},
		}),
	);
	return {env, sessions: [await sessionOf(acme), await sessionOf(beta)] as const};
}

/** Leaves a draft in the open session, which has no messages. */
async function writeDraft(terminal: Terminal): Promise<void> {
	await terminal.see('No messages yet');
	terminal.press('enter');
	await terminal.see('Enter send');
	terminal.type('half a thought');
	await terminal.see('> half a thought');
	terminal.press('esc');
	await terminal.see(/Enter write +Esc sessions/);
}

test('each service has its own sessions, draft and place; those of this machine go on meanwhile', async () => {
	const {env, sessions} = await twoServices();
	const [inAcme, inBeta] = sessions;
	const home = env.HOME ?? '';
	const terminal = openProgram(['--session', inAcme], env, size);
	const {see, gone, press, type} = terminal;
	/** Opens a profile, some rows away from the open one. */
	const switchTo = async (from: string, to: string, ...keys: readonly string[]) => {
		press('P');
		await see(new RegExp(`● ${from} .* open\\b`));
		press(...keys, 'enter');
		await see(new RegExp(`quarterdeck +${to}`));
	};
	await see(/quarterdeck +acme/);
	await writeDraft(terminal);
	press('P');
	await see(/acme .* open · default/);
	await see(/beta .*key: command/);
	await see(/local .*no key/);
	press('j');
	await see(/▌ +beta/);
	press('d');
	await see(/beta .* key: command · default/);
	press('enter');
	await see(/quarterdeck +beta/);
	await gone(inAcme.slice(0, 8));
	await gone('half a thought');
	press('a');
	await see('Add by id');
	type(inBeta);
	await see(inBeta.slice(0, 8));
	press('up', 's', 'ctrl+s');
	await gone('Add by id');
	await see('Space or Enter writes');
	await switchTo('beta', 'local', 'j');
	await see(/3 of 3 steps/);
	press('n');
	await see('A command for the shell');
	type('until [ -e ~/gate ]; do sleep 0.05; done; echo done here | tee ~/done');
	await see('> until ');
	press('enter');
	await see('1 working');
	press('esc');
	await see(/Enter write +Esc sessions/);
	await switchTo('local', 'acme', 'k', 'k');
	await see('half a thought');
	writeFileSync(join(home, 'gate'), '');
	await expect.poll(() => existsSync(join(home, 'done'))).toBe(true);
	await switchTo('acme', 'local', 'j', 'j');
	await see(/agent \d\d:\d\d [^\n]*\n[^\n]* done here/);
	press('q');
	await see('Code 0');
	await terminal.exit();

	// The next start opens the profile that was made the default.
	const again = openProgram([], env, size);
	await again.see(/quarterdeck +beta/);
	again.press('q');
	await again.exit();
}, 90_000);
