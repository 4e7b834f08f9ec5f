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

test('switching between services shows each with its own sessions, draft and place', async () => {
	const {env, sessions} = await twoServices();
	const [inAcme, inBeta] = sessions;
	const terminal = openProgram(['--session', inAcme], env, size);
	await terminal.see(/quarterdeck +acme/);
	await writeDraft(terminal);
	terminal.press('P');
	await terminal.see('Profiles');
	await terminal.see(/● acme .* open\b/);
	await terminal.see(/beta .*key: command/);
	await terminal.see(/local .*no key/);
	terminal.press('j', 'enter');

	await terminal.see(/quarterdeck +beta/);
	await terminal.gone(inAcme.slice(0, 8));
	await terminal.gone('half a thought');
	terminal.press('a');
	await terminal.see('Add by id');
	terminal.type(inBeta);
	await terminal.see(inBeta.slice(0, 8));
	terminal.press('up', 's', 'ctrl+s');
	await terminal.gone('Add by id');
	await terminal.see('Space or Enter writes');
	terminal.press('enter');
	await terminal.see('Enter send');
	terminal.type('echo said to beta');
	await terminal.see('> echo said to beta');
	terminal.press('enter');
	await terminal.see(/agent \d\d:\d\d [^\n]*\n[^\n]* said to beta/);

	terminal.press('esc');
	await terminal.see('Ctrl+P commands');
	terminal.press('P');
	await terminal.see(/● beta .* open\b/);
	terminal.press('k', 'enter');
	await terminal.see(/quarterdeck +acme/);
	await terminal.see('half a thought');
	expect(terminal.screen()).not.toContain('said to beta');

	// What can't be opened leaves all as it is.
	terminal.press('P');
	await terminal.see(/gone .*key: file/);
	terminal.press('j', 'j', 'enter');
	await terminal.see('does not exist: check its path');
	expect(terminal.screen()).toMatch(/quarterdeck +acme/);
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
}, 60_000);

test('the next start opens the profile that was made the default', async () => {
	const {env} = await twoServices();
	const terminal = openProgram([], env, size);
	await terminal.see(/quarterdeck +acme/);
	terminal.press('P');
	await terminal.see(/acme .* open · default/);
	terminal.press('j');
	await terminal.see(/▌ +beta/);
	terminal.press('d');
	await terminal.see(/beta .* key: command · default/);
	terminal.press('esc');
	await terminal.gone('Profiles');
	terminal.press('q');
	await terminal.exit();
	await openProgram([], env, size).see(/quarterdeck +beta/);
});

test('the advice for a refused key fits its source, and r reads its file again', async () => {
	const {env, acme, keyFile, sessions} = await twoServices();
	writeFileSync(keyFile, 'withdrawn');
	const terminal = openProgram(['--session', sessions[0]], env, size);
	await terminal.see(
		/✗ key refused *\n ✗ The service refused the key.*r\s+reads\s+\S+acme-key\s+again.*K\s+replaces\s+it/s,
	);
	writeFileSync(keyFile, portOf(acme.local).key);
	terminal.press('r');
	await terminal.see('● connected');
	terminal.press('q');
	await terminal.exit();

	const own = {...env, QUARTERDECK_API_KEY: 'withdrawn', QUARTERDECK_BASE_URL: portOf(acme.local).url};
	const other = openProgram(['--session', sessions[0]], own, size);
	await other.see(/✗ key refused *\n ✗ The service refused the key.*Set QUARTERDECK_API_KEY to a\s+valid/s);
	other.press('q');
	await other.exit();
}, 60_000);

test('a refused key is replaced on the screen, once the service takes the new one', async () => {
	const {env, acme, keyFile, sessions} = await twoServices();
	writeFileSync(keyFile, 'withdrawn');
	const terminal = openProgram(['--session', sessions[0]], env, size);
	await terminal.see(/K replaces\s+it/);
	terminal.press('K');
	await terminal.see('Replace the key of acme');
	await terminal.see(
		/A pasted key is saved in a private file.*quarterdeck\/keys\..*acme-key\s+stays as it is/s,
	);
	terminal.paste('wrong-as-well');
	await terminal.see('***');
	terminal.press('enter');
	await terminal.see('The service refused the key (401)');
	await terminal.gone('***');
	// The field is right there, and was emptied for another try.
	expect(terminal.screen()).not.toMatch(/Set a valid|✗ The key is missing/);
	expect(readFileSync(keyFile, 'utf8')).toBe('withdrawn');
	terminal.paste(portOf(acme.local).key);
	await terminal.see('***');
	terminal.press('enter');
	await terminal.see(/✓ Connected: profile acme; its key is in \S+\/quarterdeck\/keys\/acme/);
	await terminal.see('● connected');
	// The session that was open has the focus, as before.
	terminal.press('enter');
	await terminal.see('Enter send');
	terminal.press('esc');
	await terminal.see('Ctrl+P commands');
	expect(readFileSync(keyFile, 'utf8')).toBe('withdrawn');
	const saved = join(env.HOME ?? '', '.config/quarterdeck/keys/acme');
	expect(readFileSync(saved, 'utf8').trim()).toBe(portOf(acme.local).key);
	expect(statSync(saved).mode & 0o777).toBe(0o600);
	terminal.press('q');
	await terminal.exit();
	expect(terminal.output()).not.toContain(portOf(acme.local).key);
	expect(terminal.output()).not.toContain('withdrawn');
});

test('sessions of this machine go on while another service is shown', async () => {
	const {env} = await twoServices();
	const terminal = openProgram(['--local'], env, size);
	await terminal.see(/3 of 3 steps/);
	terminal.press('s');
	await terminal.see('A command for the shell');
	terminal.type('until [ -e ~/gate ]; do sleep 0.05; done; echo done here | tee ~/done');
	await terminal.see('> until ');
	terminal.press('enter');
	await terminal.see('1 working');
	terminal.press('esc');
	await terminal.see('Ctrl+P commands');
	terminal.press('P');
	await terminal.see(/● local .* open\b/);
	terminal.press('g', 'k', 'k', 'k', 'k', 'enter');
	await terminal.see(/quarterdeck +acme/);
	const home = env.HOME ?? '';
	writeFileSync(join(home, 'gate'), '');
	await expect.poll(() => existsSync(join(home, 'done'))).toBe(true);
	terminal.press('P');
	await terminal.see(/● acme .* open\b/);
	terminal.press('j', 'j', 'j', 'enter');
	await terminal.see(/quarterdeck +local/);
	await terminal.see(/agent \d\d:\d\d [^\n]*\n[^\n]* done here/);
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
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
	const {host} = new URL(portOf(acme.local).url);
	await terminal.see(`1 draft and 1 session stay with ${host}: P, then e, changes the`);
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
