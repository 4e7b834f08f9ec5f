import {expect, test} from 'vitest';
import type {SessionSettings} from '../../src/domain/sessions/session.ts';
import {type FleetService, startFleetService} from '../support/fleet-service.ts';
import {addFortySessions, homeThatKnows} from '../support/forty-sessions.ts';
import {openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';

/** The program at its Sessions view over forty sessions, all of them read, the newest at the top. */
async function openSessionsView(): Promise<{
	service: FleetService;
	terminal: Terminal;
	ids: readonly string[];
}> {
	const service = await startFleetService();
	const ids = addFortySessions(service);
	const env = await homeThatKnows(service);
	const terminal = openProgram([], env, {columns: 160, rows: 50});
	await terminal.see('40 idle');
	terminal.press('2');
	// Sorted by the last activity: what is marked is where it was marked.
	await terminal.see('STATE▲');
	for (const title of ['TITLE', 'COMPUTER', 'MODEL', 'MESSAGES', 'UNREAD', 'TOKENS', 'ACTIVE']) {
		terminal.press('o');
		await terminal.see(`${title}▲`);
	}
	terminal.press('g');
	await terminal.see(/▌ +○ idle +Fix the flaky login test on CI /);
	return {service, terminal, ids};
}

/** Marks the first three rows. */
async function markThree(terminal: Terminal): Promise<void> {
	for (const count of ['1 marked', '2 marked', '3 marked']) {
		terminal.press('v');
		await terminal.see(count);
	}
}

/** A session's settings as the service has them. */
function settingsOf(service: FleetService, id: string): SessionSettings {
	return (service.sessions.get(id)?.sessionSettings ?? {}) as SessionSettings;
}

async function quit(terminal: Terminal): Promise<void> {
	terminal.press('q');
	await terminal.see('Code 0');
	await terminal.exit();
}

const posts = ({requests}: FleetService) =>
	requests.filter(({line}) => line.startsWith('POST')).map(({line}) => line);

test('one message goes to each of three marked sessions exactly once, and its delivery is shown', async () => {
	const {service, terminal, ids} = await openSessionsView();
	await markThree(terminal);
	terminal.press('space');
	await terminal.see('Message to 3 sessions');
	terminal.type('Please stop');
	terminal.press('ctrl+j');
	terminal.type('and report.');
	await terminal.see('and report.');
	terminal.press('enter');
	await terminal.see('message accepted by 3 of 3');
	await terminal.see(/Fix the flaky login test on CI +✓ (accepted|seen)/);
	await terminal.see(/Upgrade React to 19 .*- +linux-build/);
	const sentTo = ids.slice(0, 3);
	expect(posts(service).sort()).toEqual(sentTo.map(id => `POST /api/v0/sessions/${id}/messages`));
	for (const id of sentTo)
		expect(
			service.sessions
				.get(id)
				?.messages.filter(({content}) => content[0]?.text === 'Please stop\nand report.'),
		).toHaveLength(1);
	terminal.press('esc');
	await terminal.gone('DELIVERY');
	await quit(terminal);
	expect(posts(service)).toHaveLength(3);
}, 60_000);

test('sessions that the service refuses to archive stay marked, the others leave; tags are merged', async () => {
	const {service, terminal, ids} = await openSessionsView();
	const [first = '', second = ''] = ids;
	const refusing = service.sessions.get(second);
	if (refusing) refusing.isReadOnly = true;
	// Nobody here knows of this tag yet.
	Object.assign(service.sessions.get(first) ?? {}, {sessionSettings: {tags: [{name: 'theirs'}]}});
	await markThree(terminal);
	terminal.press('t');
	await terminal.see('Tag 3 sessions');
	terminal.type('release');
	terminal.press('ctrl+s');
	await terminal.see(/Changed the tags of 2 of 3; Add pagination to the orders endpoint: /);
	await terminal.see('1 marked');
	await terminal.see('#theirs #release');
	expect(settingsOf(service, first).tags).toEqual([{name: 'theirs'}, {name: 'release'}]);
	// The first and the second.
	terminal.press('g', 'v');
	await terminal.see('2 marked');
	terminal.press('X');
	await terminal.see('Archive 2 sessions?');
	terminal.press('y');
	await terminal.see(/Archived 1 of 2; Add pagination to the orders endpoint: /);
	await terminal.see(/Sessions · 1 marked .* 39 ─/);
	await terminal.gone(/Fix the flaky login test on CI +linux/);
	expect(settingsOf(service, first).archivedAt).toBeDefined();
	expect(settingsOf(service, second).archivedAt).toBeUndefined();
	terminal.press('u');
	await terminal.see(/Fix the flaky login test on CI +linux/);
	await quit(terminal);
}, 60_000);
