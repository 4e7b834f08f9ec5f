import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {type AgentSession, agentAsks, agentSays, runJson} from '../support/agent-says.ts';
import {portOf, startTestService} from '../support/local-service.ts';
import {emptyHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';

const size = {columns: 160, rows: 44};

/** Makes a computer and three sessions on it, as headless commands do. */
async function makeSessions(env: NodeJS.ProcessEnv): Promise<[AgentSession, AgentSession, AgentSession]> {
	const [computer] = await runJson(env, 'computers', 'create', '--name', 'desk', '--remote-user', 'me');
	const make = async (name: string, tag: string): Promise<AgentSession> => {
		const cwd = join(env.HOME as string, name);
		mkdirSync(cwd);
		const options = ['--computer-id', `${computer?.id}`, '--cwd', cwd, '--tag', tag];
		const [session] = await runJson(env, 'sessions', 'create', ...options);
		return {id: `${session?.sessionId}`, cwd};
	};
	return [await make('api', 'plain'), await make('cart', 'plain'), await make('docs', 'urgent')];
}

async function leave(terminal: Terminal): Promise<void> {
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
}

test('acknowledging, snoozing, order, pins and names can be undone and survive a restart; a session that asks again is back', async () => {
	const env = emptyHome();
	const service = await startTestService({
		folder: join(env.HOME as string, '.local/state/quarterdeck/local'),
	});
	const sessions = await makeSessions(env);
	await service.close();
	const first = openProgram(['--local'], env, size);
	await first.see(/○ api #plain +\d/);
	agentAsks(env, sessions[0], 'May I run the migration?');
	await first.see('1 needs you');
	agentAsks(env, sessions[1], 'May I push the cart?');
	await first.see('2 need you');
	// The title of the window counts, and the bell rang once for each.
	expect(first.output()).toContain('(2) quarterdeck');
	first.press('I');
	await first.see(/Inbox +2 waiting/);
	await first.see('May I push the cart?');
	first.press('m');
	await first.see(/1 waiting · 1 acknowledged or snoozed/);
	first.press('z');
	await first.see('until tomorrow, 8:00');
	first.press('3');
	await first.see(/0 waiting · 2 acknowledged or snoozed/);
	await first.see('nothing needs you');
	first.press('u');
	await first.see(/1 waiting · 1 acknowledged or snoozed/);
	first.press('esc');
	await first.gone('Inbox');
	await first.see('1 needs you');
	await leave(first);

	const second = openProgram(['--local'], env, size);
	await second.see('1 needs you');
	await second.see(/! (api|cart) #plain +acknowledged/);
	// The agent went on and asks again: another time of asking.
	for (const session of sessions.slice(0, 2)) agentSays(env, session, {hook_event_name: 'UserPromptSubmit'});
	await second.see('nothing needs you');
	agentAsks(env, sessions[0], 'And now the backfill?');
	agentAsks(env, sessions[1], 'And the tag?');
	await second.see('2 need you');

	second.press('tab', 'g');
	second.press('/');
	await second.see('Filter by');
	second.type('#ur');
	await second.see(/#urgent +1/);
	second.press('tab');
	await second.see('/ #urgent');
	await second.gone(/\bcart\b/);
	second.press('enter');
	await second.gone('hidden');
	second.press('esc');
	await second.see(/\bcart\b/);
	second.press('/');
	second.type('s:sleeping');
	await second.see('no state begins with sleeping');
	second.press('esc');
	await second.gone('no state begins');
	for (let i = 0; i < 6; i++) second.press('k');
	second.press('G');
	second.press('p');
	await second.see('◆');
	second.press('e');
	await second.see('Rename session');
	second.type('zebra');
	await second.see('zebra');
	second.press('ctrl+s');
	await second.gone('Rename session');
	await second.see('◆ zebra');
	second.press('o', 'o');
	await second.see('by name');
	await leave(second);
	const third = openProgram(['--local'], env, size);
	await third.see('by name');
	await third.see('◆ zebra');
	await leave(third);
}, 120_000);

test('everything stays readable when the service is gone, with the next try and the age of what is shown', async () => {
	const {local, service, close} = await startTestService({port: 0});
	const {url, key} = portOf(local);
	const home = emptyHome();
	const env = {...home, QUARTERDECK_BASE_URL: url, QUARTERDECK_API_KEY: key};
	const computer = await service.computers.create({name: 'desk', remoteUser: 'me'});
	const session = await service.sessions.create({computerId: computer.id, cwd: home.HOME as string});
	const first = openProgram(['--computer', computer.id, '--session', session.sessionId], env, size);
	await first.see('Space or Enter writes');
	first.press('enter');
	first.type('echo kept-for-later');
	first.press('enter');
	await first.see(/^.*kept-for-later.*$/m);
	await first.see(/agent [^\n]*\n[^\n]*kept-for-later/);
	first.press('esc');
	await first.see(/Enter write .*Esc sessions/);
	first.press('r', 'i');
	await first.see(/computer +desk \(as of \d+\w+ ago\)/);
	first.press('esc');
	await first.gone('messages from');
	await leave(first);
	await close();
	const away = openProgram([], env, size);
	await away.see(/agent [^\n]*\n[^\n]*kept-for-later/);
	await away.see(/offline since \d\d:\d\d, reconnecting in \d+s/);
	away.press('i');
	await away.see(/computer +desk \(as of \d+\w+ ago\)/);
	await away.see('the cache on this machine');
	away.press('esc');
	await away.gone('the cache on this machine');
	await leave(away);
}, 120_000);
