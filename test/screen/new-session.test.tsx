import {afterEach, expect, test} from 'vitest';
import type {FolderFinder} from '../../src/actions/folders.ts';
import {RejectedError} from '../../src/api/errors.ts';
import type {Service} from '../../src/api/service.ts';
import {newSessionDraft} from '../../src/state/view/dialogs.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {knownComputer} from '../support/fleet.ts';
import {has, openScreen, type Screen} from '../support/screen.tsx';
import {fillWithWork} from '../support/work-sample.ts';

let screen: Screen;
afterEach(() => screen.close());

const leave = '\x1b';
const right = '\x1b[C';

/** The Work view over a service that creates the sessions it is asked for; `failing` refuses them first. */
function work({
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
	const written = () => parts.composers.getState().bySession.get(newSessionDraft)?.editor.text;
	return {parts, created, written, sent: () => parts.calls.filter(call => call.startsWith('enqueue'))};
}

test('asks what the session should do; Enter creates it and sends it the words', async () => {
	const {parts, created, sent, written} = work();
	await screen.until(has('fix-login'));
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

test('Tab goes to computer, agent and folder, and back to the words', async () => {
	const {created, sent} = work();
	await screen.until(has('fix-login'));
	await screen.press('n', 'Go', '\t', right);
	await screen.until(has('▌computer ‹ old-laptop ›'));
	await screen.press('\t', right);
	await screen.until(has('▌agent ‹ claude ›'));
	await screen.press('\t', '/srv/shop');
	await screen.until(has('▌folder /srv/shop', ' computer old-laptop ·'));
	await screen.press('\t', '!', '\r');
	await screen.until(() => sent().length > 0);
	expect(created).toEqual([{computerId: 'old', cwd: '/srv/shop', agent: 'claude'}]);
	expect(sent()).toEqual(['enqueue s-new Go!']);
});

test('the footer says the same about Tab as the dialog, and offers a new line only in the words', async () => {
	work();
	await screen.until(has('fix-login'));
	await screen.press('n');
	const tab = (words: string, others: string) => (rows: readonly string[]) =>
		has(`Tab ${words}`)(rows.slice(0, -1)) &&
		rows.at(-1)?.includes(`Enter start   Tab ${words}   ${others}`) === true;
	await screen.until(tab('where it runs', 'Ctrl+J new line   Esc save and close'));
	await screen.press('\t');
	await screen.until(tab('next', 'Esc save and close'));
	await screen.press('\t', '\t');
	await screen.until(tab('back to the text', 'Esc save and close'));
});

test('a long folder is marked where it is cut', async () => {
	work();
	await screen.until(has('fix-login'));
	await screen.press('n', '\t', '\t', '\t', `/srv/${'shop/'.repeat(30)}api`);
	await screen.until(rows => /folder …\S*shop\/api /.test(rows.join('\n')));
});

test.each(['n', 'S'])('%s: agents that are read while it is open can be chosen', async key => {
	const read = Promise.withResolvers<string[]>();
	const {created, parts} = work({agents: () => read.promise});
	await screen.until(has('fix-login'));
	await screen.press(key, ...(key === 'n' ? ['Go', '\t', '\t'] : ['\t']));
	await screen.until(rows => /▌ ?[Aa]gent/.test(rows.join('\n')));
	read.resolve(['claude', 'codex', 'shell']);
	await screen.until(() => parts.stores.connection.getState().agents !== undefined);
	await screen.press('c', right, '\r');
	await screen.until(() => created.length > 0);
	expect(created).toMatchObject([{agent: 'codex'}]);
});

test("a problem that the form has shown isn't repeated when the form closes", async () => {
	work({failing: 1});
	await screen.until(has('fix-login'));
	await screen.press('S', '\r');
	await screen.until(has('New session', 'No room for it.'));
	await screen.press(leave);
	const rows = await screen.until(lines => !lines.join('\n').includes('New session ─'));
	expect(rows.join('\n')).not.toContain('No room for it.');
});

test('starts with the agent of the last session there, if it is still offered', async () => {
	const {parts, created, sent} = work();
	await screen.until(has('fix-login'));
	const last = (agent: string) =>
		parts.stores.fleet.setState(({sessions}) => {
			const session = {sessionId: 's-last', computerId: 'build-box', agent};
			const known = {id: 's-last', origin: 'created', addedAt: Number.MAX_SAFE_INTEGER, session} as const;
			return {sessions: new Map(sessions).set('s-last', known)};
		});
	last('gone');
	await screen.press('n', '\t', '\t');
	await screen.until(has('agent ‹ shell ›', '← → or a letter: shell, claude'));
	await screen.press(leave);
	await screen.until(lines => !has('What should it do?')(lines));
	last('claude');
	await screen.press('n');
	await screen.until(has('agent claude', 'Write to the agent'));
	await screen.press('Go', '\r');
	await screen.until(() => sent().length > 0);
	expect(created).toEqual([{computerId: 'build-box', agent: 'claude'}]);
});

test('after a session in a worktree, the next one starts in its source folder, whichever key is used', async () => {
	const {parts, created} = work();
	await screen.until(has('fix-login'));
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
	await screen.press(leave, 'S');
	await screen.until(has('New session ─', 'Folder        /srv/proj'));
	await screen.press('\x1b[Z', right);
	await screen.until(rows => has('New session ─', 'old-laptop')(rows) && !has('/srv/proj')(rows));
	await screen.press(leave, 's');
	await screen.until(() => created.length > 0);
	expect(created).toEqual([{computerId: 'build-box', cwd: '/srv/proj'}]);
});

test('Tab skips what leaves no choice', async () => {
	const {parts} = work({host: 'acme.example'});
	await screen.until(has('fix-login'));
	const [first] = parts.stores.fleet.getState().computers;
	parts.stores.fleet.setState({computers: new Map(first && [first])});
	await screen.press('n', '\t', '/srv/shop');
	const rows = await screen.until(has('folder /srv/shop', 'type a path'));
	// There is nothing to choose from.
	expect(rows.join('\n')).not.toMatch(/[‹›]/);
	await screen.press('\t', 'Go');
	await screen.until(has('> Go', 'folder /srv/shop'));
});

test('a letter chooses a computer', async () => {
	work();
	await screen.until(has('fix-login'));
	await screen.press('n', '\t', 'o');
	await screen.until(has('computer ‹ old-laptop ›'));
});

test('a hosted service offers no choice of agents', async () => {
	work({host: 'acme.example'});
	await screen.until(has('fix-login'));
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
	const {parts, created, sent} = work({host: 'acme.example'});
	await screen.until(has('fix-login'));
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

test('computers with the same name are told apart', async () => {
	const {parts} = work();
	await screen.until(has('fix-login'));
	const ids = ['0a1b2c3d-0000-4000-8000-000000000000', '9f8e7d6c-0000-4000-8000-000000000000'];
	const computers = [
		...ids.map(id => knownComputer(id, {name: 'computer-1'})),
		knownComputer('vm', {name: 'vm'}),
	];
	parts.stores.fleet.setState({computers: new Map(computers.map(known => [known.id, known]))});
	await screen.until(has('computer-1 0a1b2c3d', 'computer-1 9f8e7d6c'));
	parts.view.setState({cursor: {section: 'computers', id: ids[0]}, focus: 'lists'} as never);
	await screen.press('n', '\t');
	await screen.until(
		has('computer ‹ computer-1 0a1b2c3d ›', 'a letter: computer-1 0a1b2c3d, computer-1 9f8e7d6c, vm'),
	);
	await screen.press(leave, 'N', '\t');
	await screen.until(has('New computer', 'computer-2', 'typing replaces it; 1 to 63 characters'));
	await screen.press('b', 'o', '\x7f', 'ox');
	const rows = await screen.until(has('box'));
	expect(rows.join('\n')).not.toMatch(/computer-2|typing replaces/);
});

test('Esc saves the text as a draft for the next time', async () => {
	const {parts, written, created} = work();
	await screen.until(has('fix-login'));
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
	const {parts, created} = work();
	await screen.until(has('fix-login'));
	await screen.press('n', '\t', right, '\t', right, '\t', '/srv/shop', '\t', 'Go', leave);
	await screen.until(() => parts.view.getState().dialogs.length === 0);
	await screen.press('n');
	await screen.until(has('as you left it', '> Go', 'computer old-laptop · agent claude · folder /srv/shop'));
	await screen.press('\r');
	await screen.until(() => created.length > 0);
	expect(created).toEqual([{computerId: 'old', cwd: '/srv/shop', agent: 'claude'}]);
	await screen.until(() => parts.view.getState().dialogs.length === 0);
	parts.view.setState({cursor: {section: 'computers', id: 'build-box'}, focus: 'lists'});
	await screen.press('n');
	const rows = await screen.until(has('What should it do?', 'computer build-box'));
	expect(rows.join('\n')).not.toContain('as you left it');
});

test.each([
	['a word', ['!'], has('> Go!')],
	['the computer', ['\t', right], has('computer ‹ gpu-1 ›')],
	['the agent', ['\t', '\t', right], has('agent ‹ shell ›')],
	['the folder', ['\t', '\t', '\t', '/opt'], has('folder /srv/shop/opt')],
] as const)('"as you left it" goes once something else is there: %s', async (_, keys, isChanged) => {
	const {parts} = work();
	await screen.until(has('fix-login'));
	await screen.press('n', '\t', right, '\t', right, '\t', '/srv/shop', '\t', 'Go', leave);
	await screen.until(() => parts.view.getState().dialogs.length === 0);
	await screen.press('n');
	await screen.until(has('as you left it'));
	await screen.press(...keys);
	const rows = await screen.until(isChanged);
	expect(rows.join('\n')).not.toContain('as you left it');
});

test("text saved for one folder doesn't run in a folder used since", async () => {
	const {parts} = work();
	await screen.until(has('fix-login'));
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

test('typing replaces a folder that was filled in; what was typed is edited later, and arrow keys always edit', async () => {
	const {parts} = work();
	await screen.until(has('fix-login'));
	parts.stores.fleet.setState(({computers, sessions}) => {
		const last = {id: 'last', origin: 'created', addedAt: Number.MAX_SAFE_INTEGER, cwd: '/srv/shop'} as const;
		const computer = knownComputer('build-box', {name: 'build-box', folder: '/home/dev'});
		return {
			computers: new Map(computers).set('build-box', computer),
			sessions: new Map(sessions).set('last', {...last, computerId: 'build-box'}),
		};
	});
	await screen.press('n', '\x1b[Z');
	await screen.until(has('▌folder /srv/shop ', 'typing replaces it, ← → edit it'));
	await screen.press('/a', 'pi');
	const typed = await screen.until(has('▌folder /api ', 'type a path'));
	expect(typed.join('\n')).not.toContain('typing replaces it');
	await screen.press('\t', '\x1b[Z', '/v2');
	await screen.until(has('▌folder /api/v2 ', 'Tab completes it'));
	await screen.press('\t', 'ls', leave, 'n', '\x1b[Z', '/b');
	await screen.until(has('▌folder /api/v2/b '));
	// Without a value, what the computer would use looks different from one.
	await screen.press('\x15');
	await screen.until(has('▌folder /home/dev (default)', 'type a path'));
	await screen.press('\t');
	await screen.until(has(' folder /home/dev (default)'));
});

test('the footer stops saying that a session is being created once that fails', async () => {
	work({failing: 1});
	await screen.until(has('fix-login'));
	await screen.press('n', 'Go', '\r');
	await screen.until(rows => has('No room for it.')(rows) && !has('Creating a session')(rows));
});

test('the form offers a mode only to agents that have one', async () => {
	const {created} = work();
	await screen.until(has('fix-login'));
	await screen.press('S', '\t');
	await screen.until(rows => has('▌ Agent', 'Work in')(rows) && !has('Mode ')(rows));
	await screen.press('c');
	await screen.until(has('(●) claude', '(●) ask'));
	await screen.press('\t', right);
	await screen.until(has('(●) accept edits'));
	await screen.press('\x1b[Z', 's');
	await screen.until(rows => has('(●) shell')(rows) && !has('Mode ')(rows));
	await screen.press('\t');
	await screen.until(has('▌ Work in'));
	await screen.press('\r');
	await screen.until(() => created.length > 0);
	expect(created).toEqual([{computerId: 'gpu-1', agent: 'shell', worktree: false}]);
});

test('the form says what a worktree is', async () => {
	work();
	await screen.until(has('fix-login'));
	await screen.press('S', '\t', '\t');
	await screen.until(has('▌ Work in', 'its own worktree: a separate folder and git branch'));
});

test('3× creates three sessions with worktrees, for one message', async () => {
	const {created, sent} = work();
	await screen.until(has('fix-login'));
	await screen.press('S', '\t', '\t', '3');
	await screen.until(has('(●) 3×', '( ) its own worktree'));
	await screen.press('\x13');
	await screen.until(has('Message to 3 sessions'));
	await screen.press('Try it', '\r');
	await screen.until(rows => !has('Message to 3 sessions')(rows));
	expect(created).toEqual(Array.from({length: 3}, () => ({computerId: 'gpu-1', worktree: true})));
	expect(sent()).toEqual(['s-new', 's-new-2', 's-new-3'].map(id => `enqueue ${id} Try it`));
});

test('if not all sessions are created, the message goes to the others', async () => {
	const {parts, created, sent} = work({failing: 0});
	await screen.until(has('fix-login'));
	const {create} = parts.actions.service.sessions;
	parts.actions.service.sessions.create = draft =>
		created.length < 2 ? create(draft) : Promise.reject(new RejectedError('No room for it.', {hint: ''}));
	await screen.press('S', '\t', '\t', '3', '\x13');
	await screen.until(has('Message to 2 sessions', '2 of 3 sessions were created. No room for it.'));
	await screen.press('Try it', '\r');
	await screen.until(() => sent().length === 2);
});

test('without words, nothing is created; if the service refuses, the words stay where they were', async () => {
	const {created, sent, written} = work({failing: 1});
	await screen.until(has('fix-login'));
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
	const {parts, created, sent} = work();
	await screen.until(has('fix-login'));
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
	const {parts, created} = work();
	await screen.until(has('fix-login'));
	parts.stores.connection.setState({state: 'starting', hooks: 'off'}, true);
	parts.stores.fleet.setState({computers: new Map(), sessions: new Map()});
	await screen.press('n', 'ls', '\r');
	await screen.until(has('Setting up this machine…', '> ls'));
	parts.stores.connection.setState({state: 'offline', problem: {what: 'No socket', at: 0}});
	await screen.until(has('There is no computer to run it on.', '> ls'));
	expect(created).toEqual([]);
});

test('a computer that failed to set up is reported before a session starts there', async () => {
	const {parts, created} = work();
	await screen.until(has('fix-login'));
	await screen.press('n', '\t');
	const before = (await screen.rows()).join('\n');
	expect(before).not.toContain('failed to set up');
	await screen.press(right);
	await screen.until(
		has('computer ‹ old-laptop ›', '✗ old-laptop failed to set up: a session may not work there.'),
	);
	await screen.press(leave);
	parts.view.setState({cursor: {section: 'computers', id: 'old'}, focus: 'lists'});
	const namesake = knownComputer('older', {name: 'old-laptop'});
	parts.stores.fleet.setState(({computers}) => ({computers: new Map(computers).set('older', namesake)}));
	await screen.press('s');
	await screen.until(has('old-laptop old failed to set up: the session may not work'));
	expect(created).toEqual([{computerId: 'old'}]);
});

test('keys that need a computer before one is listed are held, with all keys after them', async () => {
	const {parts, created} = work();
	await screen.until(has('fix-login'));
	const {fleet, connection} = parts.stores;
	const {computers} = fleet.getState();
	const atStart = () => {
		connection.setState({state: 'starting', hooks: 'off'}, true);
		fleet.setState({computers: new Map(), sessions: new Map(), signals: new Map()});
		parts.view.setState({cursor: undefined} as never);
	};
	atStart();
	await screen.until(has('Setting up this machine…'));
	await screen.press('s', 'ls -la');
	await screen.until(has('typed keys take effect once it is listed'));
	fleet.setState({computers: new Map([...computers].slice(0, 1))});
	await screen.until(has('> ls -la'));
	expect(created).toEqual([{computerId: [...computers.keys()][0]}]);
	parts.view.setState({focus: 'lists', shown: undefined} as never);
	atStart();
	await screen.press('S', leave);
	await screen.until(lines => !has('as soon as it is listed')(lines));
	await screen.press('S', 'shop');
	fleet.setState({computers: new Map([...computers].slice(0, 1))});
	await screen.until(has('New session ─', 'Folder        shop'));
});

test('text typed while s creates a session goes to its composer', async () => {
	const answer = Promise.withResolvers<void>();
	const {parts, created} = work({until: answer.promise});
	await screen.until(has('fix-login'));
	parts.view.setState({cursor: {section: 'computers', id: 'build-box'}, focus: 'lists'});
	await screen.press('s', 'Xe', 'cho', '\x7f', 'o ', '\x1b[200~h\x1b[201~', 'i');
	await screen.until(has('Creating a session: typed keys go to it'));
	expect(parts.view.getState().dialogs).toEqual([]);
	answer.resolve();
	await screen.until(has('> Xecho hi'));
	expect(created).toEqual([{computerId: 'build-box'}]);
	expect(parts.calls.some(call => call.startsWith('enqueue'))).toBe(false);
});

test("text typed for a session that can't be created is kept as a draft, beside the reason", async () => {
	const answer = Promise.withResolvers<void>();
	const {parts, written} = work({until: answer.promise, failing: 1});
	await screen.until(has('fix-login'));
	parts.view.setState({cursor: {section: 'computers', id: 'build-box'}, focus: 'lists'});
	await screen.press('s', 'ecko', '\x7f', '\x7f', 'ho ', '\x1b[200~a\nb\x1b[201~', '\r', 'c', '\r');
	await screen.until(has('Creating a session: typed keys go to it'));
	answer.resolve();
	await screen.until(has('No room for it. Your text is kept as a draft: n shows it'));
	expect(written()).toBe('echo a\nb\nc');
	parts.drafts.flush();
	expect(parts.kept.get(newSessionDraft)?.text).toBe('echo a\nb\nc');
	await screen.press('n');
	await screen.until(has('What should it do?', '> echo a'));
});

test('text typed before Esc ends the wait is added to the draft of a new session', async () => {
	const answer = Promise.withResolvers<void>();
	const {parts, written} = work({until: answer.promise});
	await screen.until(has('fix-login'));
	await screen.press('n', 'Fix it', leave);
	await screen.until(() => parts.view.getState().dialogs.length === 0);
	parts.view.setState({cursor: {section: 'computers', id: 'build-box'}, focus: 'lists'});
	// Typed faster than read.
	await screen.press('sals');
	await screen.until(has('Creating a session: typed keys go to it'));
	await screen.press(leave);
	await screen.until(has('Your text is kept as a draft: n shows it'));
	expect(written()).toBe('Fix it\nals');
	answer.resolve();
	await screen.until(has('The new session is ready, in the list of sessions'));
	expect(parts.view.getState().focus).toBe('lists');
});

test('text typed while s creates a session becomes a draft when the program quits', async () => {
	const {parts} = work({until: Promise.withResolvers<void>().promise});
	await screen.until(has('fix-login'));
	parts.view.setState({cursor: {section: 'computers', id: 'build-box'}, focus: 'lists'});
	await screen.press('s', 'ls', '\x03');
	await screen.until(has('again quits'));
	expect(parts.kept.get(newSessionDraft)).toBeUndefined();
	await screen.press('\x03');
	expect(parts.kept.get(newSessionDraft)?.text).toBe('ls');
});

test("text typed for a new session that isn't shown in the end is in its composer", async () => {
	const answer = Promise.withResolvers<void>();
	const {parts} = work({until: answer.promise});
	await screen.until(has('fix-login'));
	parts.view.setState({cursor: {section: 'computers', id: 'build-box'}, focus: 'lists'});
	await screen.press('s', 'ls');
	await screen.until(has('Creating a session: typed keys go to it'));
	const y = (await screen.rows()).findIndex(row => row.includes('docs-sync'));
	parts.mouse.report({button: 0, x: 5, y, isRelease: false});
	answer.resolve();
	await screen.until(has("Your text is kept in the new session's composer"));
	expect(parts.composers.getState().bySession.get('s-new')?.editor.text).toBe('ls');
});

test('giving up the wait for the computer leaves no subscription behind', async () => {
	const {parts, written} = work();
	await screen.until(has('fix-login'));
	const {fleet, connection} = parts.stores;
	connection.setState({state: 'starting', hooks: 'off'}, true);
	fleet.setState({computers: new Map(), sessions: new Map(), signals: new Map()});
	parts.view.setState({cursor: undefined} as never);
	await screen.until(has('Setting up this machine…'));
	let live = 0;
	const {subscribe} = fleet;
	fleet.subscribe = listener => {
		const stop = subscribe(listener);
		live++;
		return () => {
			live--;
			stop();
		};
	};
	const giveUp = async () => {
		await screen.press('s');
		await screen.until(has('typed keys take effect once it is listed'));
		await screen.press('ls', leave);
		await screen.until(has('Your text is kept as a draft: n shows it'));
		return live;
	};
	const first = await giveUp();
	expect(await giveUp()).toBe(first);
	expect(written()).toBe('ls\nls');
});

const up = '\x1b[A';

test('starts in the folder that the program was started in, and lists others: known ones and repositories', async () => {
	const folders: Readonly<Record<string, readonly string[]>> = {
		'': ['/docs', '/home/me/shop'],
		'/home/me/': ['.cache', 'docs', 'shop', 'shop-old'],
	};
	const {parts, created} = work({folder: '/home/me/shop', foldersOn: (_, folder = '') => folders[folder]});
	await screen.until(has('fix-login'));
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
	const {created} = work({
		foldersOn: (_, folder) => (folder === '/srv/' ? ['.git', 'shop', 'shop-old', 'web'] : undefined),
	});
	await screen.until(has('fix-login'));
	await screen.press('n', 'Go', '\t', '\t', '\t', '/srv/w', '\t');
	await screen.until(has('▌folder /srv/web'));
	await screen.press('\t', '\t', '\t', '\t', '\x7f', '\x7f', '\x7f', 'sh', '\t');
	await screen.until(has('Folders', '1 of 2'));
	await screen.press('\x1b[B', '\t');
	await screen.until(has('▌folder /srv/shop-old'));
	await screen.press('\r');
	await screen.until(() => created.length > 0);
	expect(created).toEqual([{computerId: 'build-box', cwd: '/srv/shop-old'}]);
});

test('typing replaces the folder that was filled in for a draft, too', async () => {
	work({folder: '/home/me/shop'});
	await screen.until(has('fix-login'));
	await screen.press('n', 'Go', leave, 'n', '\t', '\t', '\t', '/srv');
	await screen.until(has('▌folder /srv '));
});
