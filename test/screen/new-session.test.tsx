import {expect, test} from 'vitest';
import type {FolderFinder} from '../../src/actions/find-files.ts';
import {RejectedError} from '../../src/api/errors.ts';
import type {Service} from '../../src/api/service.ts';
import {newSessionDraft} from '../../src/state/view/dialogs.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {knownComputer} from '../support/fleet.ts';
import {has, openScreen, type Screen} from '../support/screen.tsx';
import {fillWithWork} from '../support/work-sample.ts';

let screen: Screen;

const leave = '\x1b';
const right = '\x1b[C';

/** The Work view over a service that creates the sessions it is asked for; `failing` refuses them first. */
async function work({
	failing = 0,
	agents = async () => ['claude', 'shell'],
	host,
	until,
	folder,
	foldersOn = () => undefined,
}: {
	failing?: number;
	agents?: () => Promise<string[]>;
	host?: string;
	until?: Promise<void>;
	folder?: string;
	foldersOn?: FolderFinder;
} = {}) {
	const created: unknown[] = [];
	let failures = failing;
	const service = {
		sessions: {
			async create(draft: unknown) {
				await until;
				if (failures-- > 0) throw new RejectedError('No room for it.', {hint: ''});
				created.push(draft);
				return {sessionId: created.length === 1 ? 's-new' : `s-new-${created.length}`, status: 'idle'};
			},
		},
		agentRequests: {agents},
	} as unknown as Service;
	const clock = fakeClock();
	const parts = appParts(clock, {
		service,
		profile: host === undefined ? {agent: 'shell'} : {host},
		...(folder && {program: {folder}}),
		completion: {foldersOn},
	});
	fillWithWork(parts.stores, clock.now());
	screen = openScreen(parts, 120, 40);
	await screen.until(has('fix-login'));
	const written = () => parts.composers.getState().bySession.get(newSessionDraft)?.editor.text;
	return {parts, created, written, sent: () => parts.calls.filter(call => call.startsWith('enqueue'))};
}

test('asks what the session should do; Enter creates it and sends it the words', async () => {
	const {parts, created, sent, written} = await work();
	await screen.press('n');
	await screen.until(
		has('What should it do?', 'computer build-box', 'agent shell', 'A command for the shell'),
	);
	await screen.press('Fix it', '\n', 'and test it', '\r');
	await screen.until(() => sent().length > 0);
	expect(created).toEqual([{computerId: 'build-box'}]);
	expect(sent()).toEqual(['enqueue s-new Fix it\nand test it']);
	await screen.until(() => parts.view.getState().shown?.id === 's-new');
	expect(parts.view.getState()).toMatchObject({dialogs: [], focus: 'composer'});
	expect(written()).toBe('');
	parts.drafts.flush();
	expect(parts.kept.has(newSessionDraft)).toBe(false);
});

test('Tab goes to computer, agent, folder and settings, and back to the words', async () => {
	const {created, sent} = await work();
	await screen.press('n', 'Go', '\t', right);
	await screen.until(has('▌computer ‹ old-laptop ›'));
	await screen.press('\t', right);
	await screen.until(has('▌agent ‹ claude ›'));
	await screen.press('\t', '/srv/shop');
	await screen.until(has('▌folder /srv/shop', ' computer old-laptop ·'));
	await screen.press('\t', '\t', '!', '\r');
	await screen.until(() => sent().length > 0);
	expect(created).toEqual([{computerId: 'old', cwd: '/srv/shop', agent: 'claude'}]);
	expect(sent()).toEqual(['enqueue s-new Go!']);
});

test('agents that are read while it is open can be chosen', async () => {
	const read = Promise.withResolvers<string[]>();
	const {created, parts} = await work({agents: () => read.promise});
	await screen.press('n', 'Go', '\t', '\t');
	await screen.until(has('▌agent'));
	read.resolve(['claude', 'codex', 'shell']);
	await screen.until(() => parts.stores.connection.getState().agents !== undefined);
	await screen.press('c', right, '\r');
	await screen.until(() => created.length > 0);
	expect(created).toMatchObject([{agent: 'codex'}]);
});

test('starts with the agent of the last session there, if it is still offered', async () => {
	const {parts, created, sent} = await work();
	const last = (agent: string) =>
		parts.stores.fleet.setState(({sessions}) => {
			const session = {sessionId: 's-last', computerId: 'build-box', agent};
			const known = {id: 's-last', origin: 'created', addedAt: Number.MAX_SAFE_INTEGER, session} as const;
			return {sessions: new Map(sessions).set('s-last', known)};
		});
	last('gone');
	await screen.press('n', '\t', '\t');
	await screen.until(has('agent ‹ shell ›', '─ shell, claude ─'));
	await screen.press(leave);
	await screen.until(lines => !has('What should it do?')(lines));
	last('claude');
	await screen.press('n');
	await screen.until(has('agent claude', 'Write to the agent'));
	await screen.press('Go', '\r');
	await screen.until(() => sent().length > 0);
	expect(created).toEqual([{computerId: 'build-box', agent: 'claude'}]);
});

test('after a session in a worktree, the next one starts in its source folder', async () => {
	const {parts, created} = await work();
	parts.stores.fleet.setState(({sessions}) => {
		const workFolder = {isWorktree: true, cwd: '/state/worktrees/w/proj', sourceFolder: '/srv/proj'};
		const session = {sessionId: 's-last', computerId: 'build-box', workFolder};
		const known = {
			id: 's-last',
			origin: 'created',
			addedAt: Number.MAX_SAFE_INTEGER,
			cwd: '/state/worktrees/w/proj',
			session,
		} as const;
		return {sessions: new Map(sessions).set('s-last', known)};
	});
	parts.view.setState({cursor: {section: 'computers', id: 'build-box'}, focus: 'lists'});
	await screen.press('n');
	await screen.until(has('folder /srv/proj'));
	await screen.press('Go', '\r');
	await screen.until(() => created.length > 0);
	expect(created).toEqual([{computerId: 'build-box', cwd: '/srv/proj'}]);
});

test('Tab skips what leaves no choice', async () => {
	const {parts} = await work({host: 'acme.example'});
	const [first] = parts.stores.fleet.getState().computers;
	parts.stores.fleet.setState({computers: new Map(first && [first])});
	await screen.press('n', '\t', '/srv/shop');
	const rows = await screen.until(has('folder /srv/shop', 'type a path'));
	// There is nothing to choose from.
	expect(rows.join('\n')).not.toMatch(/[‹›]/);
	await screen.press('\t', '\t', 'Go');
	await screen.until(has('> Go', 'folder /srv/shop'));
});

test('a hosted service offers no choice of agents', async () => {
	await work({host: 'acme.example'});
	await screen.press('n');
	const rows = await screen.until(
		has(
			'What should it do?',
			'Write to the agent',
			'computer build-box · the service chooses agent and folder',
		),
	);
	expect(rows.join('\n')).not.toContain('agent shell');
	await screen.press('\t', '\t');
	await screen.until(has('computer build-box · ▌folder chosen by the service'));
	await screen.press('/srv', '\t');
	await screen.until(has('computer build-box · the service chooses the agent · folder /srv'));
});

test('an agent that a hosted service announces is named, and the shell is asked for a command', async () => {
	const {parts, created, sent} = await work({host: 'acme.example'});
	const {fleet} = parts.stores;
	fleet.setState(({sessions}) => {
		const session = {sessionId: 's-last', computerId: 'build-box', agent: 'claude'};
		const known = {id: 's-last', origin: 'created', addedAt: Number.MAX_SAFE_INTEGER, session} as const;
		return {sessions: new Map(sessions).set('s-last', known)};
	});
	await screen.press('n');
	await screen.until(has('agent claude last time · folder', 'Write to the agent'));
	fleet.setState(({computers}) => {
		const known = knownComputer('build-box', {name: 'build-box', agent: 'shell'});
		return {computers: new Map(computers).set('build-box', known)};
	});
	await screen.until(has('agent shell · folder', 'A command for the shell'));
	await screen.press('ls', '\r');
	await screen.until(() => sent().length > 0);
	expect(created).toEqual([{computerId: 'build-box'}]);
});

test('Esc saves the text as a draft for the next time', async () => {
	const {parts, written, created} = await work();
	await screen.press('n', 'Half a th', leave);
	await screen.until(() => parts.view.getState().dialogs.length === 0);
	parts.drafts.flush();
	expect(parts.kept.get(newSessionDraft)?.text).toBe('Half a th');
	await screen.press('n', 'ought');
	await screen.until(has('> Half a thought'));
	expect(written()).toBe('Half a thought');
	expect(created).toEqual([]);
});

test('Esc saves where the text should run, too', async () => {
	const {parts, created} = await work();
	await screen.press('n', '\t', right, '\t', right, '\t', '/srv/shop', '\t', '\t', 'Go', leave);
	await screen.until(() => parts.view.getState().dialogs.length === 0);
	await screen.press('n');
	await screen.until(has('> Go', 'computer old-laptop · agent claude · folder /srv/shop'));
	await screen.press('\r');
	await screen.until(() => created.length > 0);
	expect(created).toEqual([{computerId: 'old', cwd: '/srv/shop', agent: 'claude'}]);
	await screen.until(() => parts.view.getState().dialogs.length === 0);
	parts.view.setState({cursor: {section: 'computers', id: 'build-box'}, focus: 'lists'});
	await screen.press('n');
	await screen.until(has('What should it do?', 'computer build-box'));
});

test("text saved for one folder doesn't run in a folder used since", async () => {
	const {parts} = await work();
	const usedIn = (cwd: string, addedAt: number) =>
		parts.stores.fleet.setState(({sessions}) => {
			const known = {id: cwd, origin: 'created', addedAt, cwd, computerId: 'build-box'} as const;
			return {sessions: new Map(sessions).set(cwd, known)};
		});
	usedIn('/srv/one', Number.MAX_SAFE_INTEGER - 1);
	await screen.press('n');
	await screen.until(has('folder /srv/one'));
	await screen.press('make clean', leave);
	await screen.until(() => parts.view.getState().dialogs.length === 0);
	usedIn('/srv/two', Number.MAX_SAFE_INTEGER);
	await screen.press('n');
	await screen.until(has('> make clean', 'folder /srv/one'));
	// Without text, it starts where the last session did.
	await screen.press('\x15', leave, 'n');
	await screen.until(has('folder /srv/two'));
});

test('Tab reaches settings after the folder; the session starts with them', async () => {
	const {created, sent} = await work();
	// The shell has no mode.
	await screen.press('n', 'Go', '\t', '\t', '\t', '\t');
	await screen.until(has('▌settings default', 'Enter change'));
	await screen.press('\r');
	await screen.until(rows => has('Settings of the new session', 'Work in')(rows) && !has('Mode ')(rows));
	await screen.press(leave, '\x1b[Z', '\x1b[Z', 'c', '\t', '\t', '\r');
	await screen.until(has('(●) ask', 'Work in'));
	await screen.press(right, '\t', 'w', '\t', 'opus', '\t', '\t', 'urgent', '\r');
	await screen.until(has('> Go', ' settings accept edits · its own worktree · opus · #urgent'));
	// They are kept with the text.
	await screen.press(leave, 'n');
	await screen.until(has(' settings accept edits · its own worktree'));
	await screen.press('\r');
	await screen.until(() => sent().length > 0);
	expect(created).toEqual([
		{
			computerId: 'build-box',
			agent: 'claude',
			mode: 'accept-edits',
			worktree: true,
			sessionSettings: {model: 'opus', tags: [{name: 'urgent'}]},
		},
	]);
});

test('3 agents are 3 sessions with worktrees, for one message', async () => {
	const {parts, created, sent} = await work();
	await screen.press('n', 'Try it', '\x1b[Z', '\r', '3');
	await screen.until(has('(●) 3 agents', '( ) worktree'));
	await screen.press('\r');
	await screen.until(has('settings 3 agents, each in its own worktree'));
	await screen.press('\r');
	await screen.until(() => sent().length === 3);
	await screen.until(has('3 of 3 sessions started'));
	// A list tells them apart, though all got the same message.
	expect(created).toEqual(
		['1/3 Try it', '2/3 Try it', '3/3 Try it'].map(title => ({
			computerId: 'build-box',
			worktree: true,
			title,
		})),
	);
	const ids = ['s-new', 's-new-2', 's-new-3'];
	expect(sent()).toEqual(ids.map(id => `enqueue ${id} Try it`));
	expect(parts.view.getState()).toMatchObject({page: 'sessions', dialogs: []});
	expect([...parts.view.getState().sessions.marked]).toEqual(ids);
});

test('if not all sessions are created, the message goes to the others', async () => {
	const {parts, created, sent} = await work({failing: 0});
	const {create} = parts.actions.service.sessions;
	parts.actions.service.sessions.create = draft =>
		created.length < 2 ? create(draft) : Promise.reject(new RejectedError('No room for it.', {hint: ''}));
	await screen.press('n', 'Try it', '\x1b[Z', '\r', '3', '\r', '\r');
	await screen.until(has('2 of 3 sessions were created. No room for it.'));
	expect(sent()).toHaveLength(2);
});

test('without words, nothing is created; if the service refuses, the words stay where they were', async () => {
	const {created, sent, written} = await work({failing: 1});
	await screen.press('n', '\r');
	await screen.until(has('Write what it should do first.'));
	await screen.press('Go', '\r');
	await screen.until(has('No room for it.', '> Go'));
	expect([created, sent(), written()]).toEqual([[], [], 'Go']);
	await screen.press('\r');
	await screen.until(() => sent().length > 0);
	expect(sent()).toEqual(['enqueue s-new Go']);
});

test('at first start, it opens before the computer is listed, and Enter waits for the computer', async () => {
	const {parts, created, sent} = await work();
	const {fleet, connection} = parts.stores;
	const {computers} = fleet.getState();
	connection.setState({state: 'starting', hooks: 'off'}, true);
	fleet.setState({computers: new Map(), sessions: new Map()});
	await screen.press('n');
	await screen.until(has('What should it do?', 'computer this machine'));
	await screen.press('ls', '\r', '!');
	await screen.until(has('Setting up this machine…', '> ls'));
	expect(created).toEqual([]);
	fleet.setState({computers});
	await screen.until(() => sent().length > 0);
	expect(created).toEqual([{computerId: 'gpu-1'}]);
	expect(sent()).toEqual(['enqueue s-new ls']);
});

test('Enter says so if no computer comes', async () => {
	const {parts, created} = await work();
	parts.stores.connection.setState({state: 'starting', hooks: 'off'}, true);
	parts.stores.fleet.setState({computers: new Map(), sessions: new Map()});
	await screen.press('n', 'ls', '\r');
	await screen.until(has('Setting up this machine…', '> ls'));
	parts.stores.connection.setState({state: 'offline', problem: {what: 'No socket', at: 0}});
	await screen.until(has('There is no computer to run it on.', '> ls'));
	expect(created).toEqual([]);
});

test('a computer that failed to set up is reported before a session starts there', async () => {
	await work();
	await screen.press('n', '\t');
	const before = (await screen.rows()).join('\n');
	expect(before).not.toContain('failed to set up');
	await screen.press(right);
	await screen.until(
		has('computer ‹ old-laptop ›', '✗ old-laptop failed to set up: a session may not work there.'),
	);
});

const up = '\x1b[A';

test('starts in the folder that the program was started in, and lists others: known ones and repositories', async () => {
	const folders: Readonly<Record<string, readonly string[]>> = {
		'': ['/docs', '/home/me/shop'],
		'/home/me/': ['.cache', 'docs', 'shop', 'shop-old'],
	};
	const {parts, created} = await work({
		folder: '/home/me/shop',
		foldersOn: (_, folder = '') => folders[folder],
	});
	await screen.press('n', 'Go', '\t', '\t', '\t');
	await screen.until(has('▌folder /home/me/shop'));
	// Known ones come first.
	await screen.press(up);
	const rows = await screen.until(has('Folders'));
	const at = (name: string) => rows.findIndex(row => new RegExp(`│ ${name} `).test(row));
	expect([at('shop'), at('docs') - at('shop')]).toEqual([expect.any(Number), 1]);
	await screen.press('do', '\r', '\r');
	await screen.until(() => created.length > 0);
	expect(created).toEqual([{computerId: 'build-box', cwd: '/docs'}]);
	expect(parts.view.getState().completion).toBeUndefined();
});

test('Tab completes the folder, and what was typed is edited later, not replaced', async () => {
	const {created} = await work({
		foldersOn: (_, folder) => (folder === '/srv/' ? ['.git', 'shop', 'shop-old', 'web'] : undefined),
	});
	await screen.press('n', 'Go', '\t', '\t', '\t', '/srv/w');
	await screen.until(has('▌folder /srv/w ', 'Tab complete'));
	await screen.press('\t');
	await screen.until(has('▌folder /srv/web', 'Tab next field'));
	await screen.press('\t', '\t', '\t', '\t', '\t', '\x7f', '\x7f', '\x7f', 'sh', '\t');
	await screen.until(has('Folders', '1 of 2'));
	await screen.press('\x1b[B', '\t');
	await screen.until(has('▌folder /srv/shop-old'));
	await screen.press('\r');
	await screen.until(() => created.length > 0);
	expect(created).toEqual([{computerId: 'build-box', cwd: '/srv/shop-old'}]);
});
