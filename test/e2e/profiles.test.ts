import {existsSync, mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
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
				gone: {baseUrl: portOf(beta.local).url, keyFile: '/nowhere/key'},
			},
		}),
	);
	return {env, acme, beta, keyFile, sessions: [await sessionOf(acme), await sessionOf(beta)] as const};
}

/** Leaves a draft in the open session, which has no messages. */
async function writeDraft(terminal: Terminal): Promise<void> {
	await terminal.see('No messages yet');
	terminal.press('enter');
	await terminal.see('Enter send');
	terminal.type('half a thought');
	await terminal.see('> half a thought');
	terminal.press('esc');
	await terminal.see('Ctrl+P commands');
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
	press('enter');
	await see('Enter send');
	type('echo said to beta');
	await see('> echo said to beta');
	press('enter');
	await see(/agent \d\d:\d\d [^\n]*\n[^\n]* said to beta/);
	press('esc');
	await see('Ctrl+P commands');

	await switchTo('beta', 'local', 'j', 'j');
	await see(/3 of 3 steps/);
	press('n');
	await see('A command for the shell');
	type('until [ -e ~/gate ]; do sleep 0.05; done; echo done here | tee ~/done');
	await see('> until ');
	press('enter');
	await see('1 working');
	press('esc');
	await see('Ctrl+P commands');
	await switchTo('local', 'acme', 'k', 'k', 'k');
	await see('half a thought');
	expect(terminal.screen()).not.toContain('said to beta');
	writeFileSync(join(home, 'gate'), '');
	await expect.poll(() => existsSync(join(home, 'done'))).toBe(true);
	// What can't be opened leaves all as it is.
	press('P');
	await see(/gone .*key: file/);
	press('j', 'j', 'enter');
	await see('does not exist: check its path');
	expect(terminal.screen()).toMatch(/quarterdeck +acme/);
	await switchTo('acme', 'local', 'j', 'j', 'j');
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

test('a refused key: r reads its file again, and K replaces it once the service takes the new one', async () => {
	const {env, acme, keyFile, sessions} = await twoServices();
	writeFileSync(keyFile, 'withdrawn');
	const terminal = openProgram(['--session', sessions[0]], env, size);
	const {see, gone, press, paste} = terminal;
	await see(
		/✗ key refused *\n ✗ The service refused the key.*r\s+reads\s+\S+acme-key\s+again.*K\s+replaces\s+it/s,
	);
	press('K');
	await see('Replace the key of acme');
	await see(/A pasted key is saved in a private file.*quarterdeck\/keys\..*acme-key\s+stays as it is/s);
	paste('wrong-as-well');
	await see('***');
	press('enter');
	await see('The service refused the key (401)');
	await gone('***');
	// The field is right there, and was emptied for another try.
	expect(terminal.screen()).not.toMatch(/Set a valid|✗ The key is missing/);
	press('esc');
	await gone('Replace the key of acme');
	writeFileSync(keyFile, portOf(acme.local).key);
	press('r');
	await see('● connected');
	press('K');
	await see('Replace the key of acme');
	paste(portOf(acme.local).key);
	await see('***');
	press('enter');
	await see(/✓ Connected: profile acme; its key is in \S+\/quarterdeck\/keys\/acme/);
	await see('● connected');
	// The session that was open has the focus, as before.
	press('enter');
	await see('Enter send');
	press('esc');
	await see('Ctrl+P commands');
	const saved = join(env.HOME ?? '', '.config/quarterdeck/keys/acme');
	expect(readFileSync(saved, 'utf8').trim()).toBe(portOf(acme.local).key);
	expect(statSync(saved).mode & 0o777).toBe(0o600);
	press('q');
	await terminal.exit();
	expect(terminal.output()).not.toContain(portOf(acme.local).key);
	expect(terminal.output()).not.toContain('withdrawn');
}, 60_000);

test('a profile gets a new address without the old data, and its data back with the old address', async () => {
	const {env, acme, beta, sessions} = await twoServices();
	const [inAcme] = sessions;
	const terminal = openProgram(['--session', inAcme], env, size);
	/** Opens the form for the open profile, and saves it with this service and key. */
	const changeTo = async ({local}: TestService) => {
		const {url, key} = portOf(local);
		terminal.press('P');
		await terminal.see('e edit');
		terminal.press('e');
		await terminal.see('Profile acme');
		terminal.press('ctrl+u');
		terminal.type(url);
		await terminal.see(url);
		terminal.press('tab');
		await terminal.see('← → select');
		terminal.press('t', 'tab');
		await terminal.see('▌ Key ');
		terminal.paste(key);
		await terminal.see('***');
		terminal.press('enter');
		await terminal.see('Connected: profile acme');
		await terminal.see('● connected');
	};
	await writeDraft(terminal);
	terminal.press('P');
	await terminal.see('e edit');
	terminal.press('e');
	await terminal.see(/sessions and drafts; 1 draft and 1 session stay with/);
	terminal.press('esc');
	await terminal.gone('Profile acme');
	await changeTo(beta);
	await terminal.gone(inAcme.slice(0, 8));
	await terminal.gone('half a thought');
	await terminal.see('Nothing here yet');
	await changeTo(acme);
	await terminal.see('half a thought');
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
	const config = JSON.parse(readFileSync(join(env.HOME ?? '', '.config/quarterdeck/config.json'), 'utf8'));
	expect(Object.keys(config.profiles)).toEqual(['acme', 'beta', 'gone']);
	expect(config.profiles.acme.baseUrl).toBe(portOf(acme.local).url);
	expect(terminal.output()).not.toContain(portOf(beta.local).key);
}, 60_000);
