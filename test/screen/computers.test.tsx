import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import type {Service} from '../../src/api/service.ts';
import type {Computer} from '../../src/domain/computers/computer.ts';
import type {KnownComputer} from '../../src/domain/known.ts';
import {guardWrite} from '../../src/term/guarded-stdout.ts';
import type {AppParts} from '../../src/ui/use-app.ts';
import {appParts} from '../support/app-parts.ts';
import {expectStraightBorders} from '../support/borders.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {fleet, knownComputer, knownSession, signal} from '../support/fleet.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {openScreen} from '../support/screen.tsx';

const second = 1000;
const minute = 60 * second;
const error = 'npm error code ERESOLVE\nnpm error could not resolve react-old-carousel@3.0.1 END';

/** Five computers, one in each state that matters. */
function five(now: number): KnownComputer[] {
	const step = (name: string, status: string, from?: number, to?: number, more: object = {}) => ({
		id: name,
		name,
		status,
		...(from !== undefined && {startedAt: now - from}),
		...(to !== undefined && {completedAt: now - to}),
		...more,
	});
	const install = {installSessionId: 's-install'};
	const computer = (id: string, value: Partial<Computer>, ago: number) => ({
		...knownComputer(
			id,
			{providerType: 'byom', hostname: `${id}.lan`, remoteUser: 'dev', ...value},
			now - ago,
		),
		fetchedAt: now - ago,
	});
	return [
		computer('calm', {}, 1),
		computer(
			'going',
			{
				status: 'provisioning',
				provisioningSteps: [
					step('check host', 'completed', 2 * minute, 119 * second),
					step('clone shop', 'warming up', 119 * second),
					step('install dependencies', 'pending'),
				],
			},
			2,
		),
		computer(
			'half',
			{
				provisioningSteps: [
					step('check host', 'completed', 9 * minute, 8 * minute),
					step('install dependencies', 'failed', 8 * minute, 7 * minute, {error, ...install}),
				],
			},
			3,
		),
		computer('dead', {status: 'error', provisioningSteps: [step('clone shop', 'timed_out')]}, 4),
		{id: 'unread-by-anyone', origin: 'added', addedAt: now - 5},
	];
}

function computers(
	columns: number,
	rows: number,
	more: Partial<AppParts> & {service?: Service; fill?: (now: number) => readonly KnownComputer[]} = {},
) {
	const {fill = five, ...rest} = more;
	const clock = fakeClock();
	const parts = appParts(clock, rest);
	const sessions = [
		knownSession('s1', {computerId: 'calm'}),
		knownSession('s2', {computerId: 'calm'}),
		knownSession('s3', {computerId: 'going'}),
	];
	const known = fleet(sessions, fill(clock.now()), [signal('s2', 'needs-permission')]);
	parts.stores.fleet.setState(known);
	parts.stores.connection.setState({state: 'polling', okAt: clock.now()});
	parts.view.setState({page: 'computers'});
	const screen = openScreen(parts, columns, rows);
	return {parts, clock, screen};
}

/** A profile of a service that isn't the embedded one. */
const hosted = {profile: {...appParts(fakeClock()).profile, host: 'acme.example'}};

const text = (rows: readonly string[]) => rows.join('\n');

test.each([
	[40, 12],
	[120, 40],
])('%i x %i: straight borders around every computer, and a mark at the cursor', async (columns, rows) => {
	const {screen} = computers(columns, rows);
	const seen = await screen.until(lines => lines.some(line => /▌.*dead/.test(line)));
	expect(seen).toHaveLength(rows);
	expectStraightBorders(screen.cells());
	for (const name of ['dead', 'half', 'going', 'calm']) expect(text(seen)).toContain(name);
	await screen.press('\r', 'j', 'G', '\t');
	expectStraightBorders(screen.cells());
});

test('the error of a failed step is shown whole, with the key that retries it', async () => {
	const asked: string[] = [];
	const service = {
		computers: {
			installDeps: async (id: string) => {
				asked.push(id);
				return {id, name: 'half', status: 'active'};
			},
		},
	} as unknown as Service;
	const {screen, parts} = computers(120, 40, {service});
	await screen.press('j');
	const seen = await screen.until(lines => lines.join('').includes('ERESOLVE'));
	expect(text(seen).replace(/[│\s]+/g, ' ')).toContain('could not resolve react-old-carousel@3.0.1 END');
	expect(text(seen)).toMatch(/R {2}retries the dependency install/);
	expect(seen.at(-1)).toContain('R retry install');
	await screen.press('R');
	await screen.until(lines => lines.at(-1)?.includes('Installing dependencies again') === true);
	expect(asked).toEqual(['half']);
	await screen.press('\r', '\r');
	await screen.until(() => parts.calls.includes('addSession s-install install-step {"computerId":"half"}'));
	expect(parts.view.getState()).toMatchObject({page: 'work', shown: {kind: 'session', id: 's-install'}});
	await screen.press('R');
	await screen.until(() => asked.length === 2);
	// Opened in the Computers view, so that is where Escape leads.
	await screen.press('\x1b');
	await screen.until(() => parts.view.getState().page === 'computers');
	parts.view.setState({page: 'work', shown: {kind: 'session', id: 's-install'}, focus: 'main'});
	await screen.until(lines => lines.at(-1)?.includes('Esc steps') === true);
	await screen.press('\x1b');
	await screen.until(lines => lines.join('').includes('ERESOLVE'));
	expect(parts.view.getState()).toMatchObject({
		page: 'work',
		focus: 'main',
		shown: {kind: 'computer', id: 'half'},
		cursor: {section: 'computers', id: 'half'},
	});
});

test('a computer that was never read offers no retry, and says why', async () => {
	const {screen, parts} = computers(120, 40);
	await screen.press('G', 'k');
	const seen = await screen.until(lines => lines.join('').includes('Not read yet'));
	expect(parts.view.getState().tableCursors.computers).toBe('unread-by-anyone');
	expect(seen.at(-1)).not.toContain('retry install');
	await screen.press('R');
	await screen.until(lines => lines.at(-1)?.includes('Not read yet: r asks the service') === true);
	await screen.press('r');
	await screen.until(() => parts.calls.includes('refresh unread-by-anyone'));
});

test("the end of a running install's output is followed while it is on the screen", async () => {
	const fill = (now: number) => [
		knownComputer(
			'box',
			{
				status: 'provisioning',
				provisioningSteps: [
					{name: 'install', status: 'running', startedAt: now - 5000, installSessionId: 's-install'},
				],
			},
			now,
		),
	];
	const {screen, parts} = computers(120, 40, {fill});
	await screen.until(() => parts.calls.includes('open s-install'));
	const entry = (id: string, text: string, createdAt?: number) =>
		({kind: 'message', id, version: 1, message: {id, createdAt, content: [{text}]}}) as const;
	const show = (lines: readonly string[]) => {
		const entries = [entry('a', 'error: of the try before', 1), entry('b', lines.join('\n'))];
		parts.stores.streams.setState({
			open: new Map([
				['s-install', {sessionId: 's-install', entries, hasOlder: false, phase: {name: 'ready'}}],
			]),
		});
	};
	show(['npm ci']);
	expect(text(await screen.until(rows => rows.join('').includes('npm ci')))).not.toContain(
		'of the try before',
	);
	show(Array.from({length: 30}, (_, index) => `added package ${index}`));
	const seen = text(await screen.until(rows => rows.join('').includes('added package 29')));
	expect(seen).toContain('added package 22');
	expect(seen).not.toContain('added package 21');
	await screen.press('1');
	await screen.until(() => parts.calls.includes('close s-install'));
});

test("of a failed step's error, the screen shows no secret", async () => {
	const secretError = 'git https://me:sk-live-abc123@h and relay wss://relay.example?ticket=sk-live-abc123';
	const shownError = 'git https://***@h and relay wss://relay.example?***';
	const failed = (now: number, status: string) =>
		knownComputer(
			'box',
			{
				provisioningSteps: [
					{name: 'clone', status: 'failed', error: secretError, completedAt: now},
					{name: `Fetch ${secretError}`, status, installSessionId: 's-install'},
				],
			},
			now,
		);
	const {screen, parts, clock} = computers(200, 50, {fill: now => [failed(now, 'running')]});
	await screen.until(() => parts.calls.includes('open s-install'));
	const message = {id: 'm', content: [{text: `one\nrun ${secretError}`}]};
	parts.stores.streams.setState({
		open: new Map([
			[
				's-install',
				{
					sessionId: 's-install',
					entries: [{kind: 'message', id: 'm', version: 1, message}],
					hasOlder: false,
					phase: {name: 'ready'},
				},
			],
		]),
	});
	const seen = text(await screen.until(rows => rows.join('').includes('│ run git')));
	expect(seen).toContain('│ git https://***@h and relay');
	expect(seen).toContain('│ run git https://***@h and relay wss://relay.example?***');
	expect(seen).toContain('● Fetch git https://***@h and relay');
	// In Work: the row in Needs you, and the steps.
	await screen.press('1', 'j');
	const work = text(await screen.until(rows => text(rows).includes(`│ ${shownError}`)));
	expect(work).toContain('failed · clone: git https://***@h and relay');
	await screen.press('I');
	await screen.until(rows =>
		rows.some(row => row.includes('waiting') && row.includes('clone: git https://***@h')),
	);
	await screen.press('\x1b');
	// The session of the failed install.
	parts.stores.fleet.setState(
		fleet(
			[knownSession('s-install', {computerId: 'box'})],
			[
				knownComputer('box', {
					provisioningSteps: [
						{
							name: 'install',
							status: 'failed',
							error: secretError,
							completedAt: clock.now(),
							installSessionId: 's-install',
						},
					],
				}),
			],
		),
	);
	await screen.until(rows => rows.join('').includes('Asked or failed earlier'));
	await screen.press('j', 'L');
	await screen.until(rows => rows.some(row => row.includes(`  ${shownError.slice(0, 30)}`)));
	await screen.press('i');
	await screen.until(rows => rows.some(row => /error +git https:\/\/\*{3}@h/.test(row)));
	expect(screen.written.join('')).not.toContain('abc123');
});

test('the filter narrows the table; Esc first shows all computers again, then the Work view', async () => {
	const {screen, parts} = computers(120, 40);
	await screen.press('/', 's:failed', '\r');
	const seen = await screen.until(lines => lines.join('').includes('2 of 5'));
	expect(text(seen)).toContain('/s:failed');
	expect(text(seen)).not.toContain('calm ');
	await screen.press('/', 'zzz');
	await screen.until(lines => lines.at(-1)?.includes('no state begins with failedzzz') === true);
	await screen.press('\x15', 'zzz', '\r');
	await screen.until(lines => lines.join('').includes('No matches'));
	expect(parts.view.getState().tableCursors.computers).toBeUndefined();
	expectStraightBorders(screen.cells());
	await screen.resize(40, 12);
	await screen.press('\r');
	await screen.until(lines => lines.join('').includes('No matches'));
	await screen.resize(120, 40);
	await screen.press('\x1b');
	await screen.until(lines => lines.join('').includes('calm'));
	await screen.press('\r', '\x1b');
	expect(parts.view.getState()).toMatchObject({page: 'computers', computers: {pane: 'table'}});
	await screen.press('\x1b');
	await screen.until(lines => lines.join('').includes('Needs you'));
	expect(parts.view.getState().filters.computers).toBe('');
});

test('keys list the sessions of a computer, copy its id, and begin a session on it', async () => {
	const {screen, parts} = computers(120, 40);
	await screen.press('l');
	await screen.until(lines => lines.at(-1)?.includes('No known session on this computer') === true);
	await screen.press('G', 'y', 'n');
	await screen.until(lines => lines.join('').includes('computer calm'));
	expect(parts.calls).toContain('copy calm');
	await screen.press('\x1b');
	await screen.until(lines => !lines.join('').includes('What should it do?'));
	await screen.press('l');
	await screen.until(lines => lines.join('').includes('Needs you'));
	expect(parts.view.getState()).toMatchObject({page: 'work', filters: {work: 'c:calm'}});
	expect(
		parts.listBuilder.lists(
			parts.stores.fleet.getState(),
			{bySession: new Map()},
			{words: 'c:calm', needsOnly: false},
		).all.sessions.length,
	).toBe(3);
});

test('an update sends what was changed and nothing else', async () => {
	const asked: unknown[] = [];
	const service = {
		computers: {
			update: async (id: string, patch: object) => {
				asked.push([id, patch]);
				return {id, ...patch};
			},
		},
	} as unknown as Service;
	const {screen} = computers(120, 40, {service});
	await screen.press('G', 'e');
	await screen.until(lines => lines.join('').includes('Edit computer'));
	await screen.press('\x13');
	await screen.until(lines => !lines.join('').includes('Edit computer'));
	expect(asked).toEqual([]);
	await screen.press('e');
	await screen.until(lines => lines.join('').includes('Edit computer'));
	await screen.press('\x05', 'er', '\t', '\t', 'not-a-uuid', '\x13');
	await screen.until(lines => lines.join('').includes('Not a UUID'));
	await screen.press('\x15', '01234567-89ab-cdef-0123-456789abcdef', '\x13');
	await screen.until(lines => !lines.join('').includes('Edit computer'));
	expect(asked).toEqual([['calm', {name: 'calmer', hostId: '01234567-89ab-cdef-0123-456789abcdef'}]]);
});

test('every field of a new computer is checked as it is typed, and sent as it was chosen', async () => {
	const asked: unknown[] = [];
	const service = {
		computers: {
			create: async (draft: {name: string}) => {
				asked.push(draft);
				// As the engine does it with the answer.
				const {fleet} = parts.stores;
				const known = knownComputer('fresh', {name: 'fresh one'});
				fleet.setState(({computers}) => ({computers: new Map(computers).set('fresh', known)}));
				return {id: 'fresh', name: draft.name, status: 'provisioning'};
			},
		},
	} as unknown as Service;
	const {screen, parts} = computers(120, 40, {service, ...hosted});
	await screen.press('/', 'calm', '\r');
	await screen.press('N');
	await screen.until(lines => lines.join('').includes('New computer'));
	await screen.press('x'.repeat(64));
	await screen.until(lines => lines.join('').includes('The name has 64 characters; the maximum is 63'));
	await screen.press('\x7f');
	await screen.until(lines => lines.join('').includes('63 of 63'));
	await screen.press('\t', '\t', 'git@host:team/a.git');
	await screen.until(lines => lines.join('').includes('must be written ssh://git@host/team/a.git'));
	await screen.press('\x15', 'https://host/a.git https://host/b b.git');
	await screen.until(lines => lines.join('').includes('Repository 3 is not a URL such as'));
	await screen.press('\x15', 'https://host/a.git, https://host/b.git', '\t', 'n', '\t', 'c', '\t');
	await screen.press('01234567-89ab-cdef-0123-456789abcdef', '\r');
	await screen.until(() => asked.length > 0);
	expect(asked).toEqual([
		{
			name: 'x'.repeat(63),
			remoteUser: 'me',
			provider: 'e2b',
			hostId: '01234567-89ab-cdef-0123-456789abcdef',
			repos: ['https://host/a.git', 'https://host/b.git'],
			autoInstallDeps: false,
		},
	]);
	await screen.until(lines => lines.some(line => /▌.*fresh one/.test(line)));
	expect(parts.view.getState().page).toBe('computers');
});

test('another machine is named after its host, and used only once that was confirmed', async () => {
	const asked: unknown[] = [];
	const service = {
		computers: {
			async create(draft: {name: string}) {
				asked.push(draft);
				return {id: 'gpu', name: draft.name, status: 'provisioning'};
			},
		},
	} as unknown as Service;
	const {screen, clock} = computers(120, 40, {service});
	await screen.press('N');
	await screen.until(lines => lines.join('').includes('this machine'));
	// The last choice but one, whatever hosts are configured here.
	await screen.press('\x1b[D', '\x1b[D');
	await screen.until(lines => lines.join('').includes('another ssh host'));
	await screen.press('\t', '-oProxyCommand=x');
	await screen.until(lines => lines.join('').includes("The host can't start with a dash"));
	await screen.press('\x15', 'me@gpu', '\r');
	await screen.until(lines => lines.join('').includes('Use me@gpu?'));
	expect(asked).toEqual([]);
	await clock.advance(second);
	await screen.press('y');
	await screen.until(() => asked.length > 0);
	expect(asked).toEqual([{name: 'me@gpu', remoteUser: 'me', host: {ssh: 'me@gpu'}}]);
});

test("hostile text of a computer doesn't reach the terminal or bend a border", async () => {
	const hostile =
		'\x1b]52;c;aGk=\x07\x1b[2J\r\n\x9b5m\u202eevil\u200b\ud800 e\u0301\u0301\u0301\u0301\u0301\u0301 👩‍👩‍👧‍👦\t界'.repeat(
			2,
		);
	const step = {name: hostile, status: hostile, error: hostile, installSessionId: 's-bad'};
	const bad = {
		name: hostile,
		hostname: hostile,
		remoteUser: hostile,
		providerType: hostile,
		status: hostile,
		hostId: hostile,
		provisioningSteps: [step, {name: hostile, status: 'running', startedAt: 1, installSessionId: 's-bad'}],
	};
	const {screen, parts} = computers(120, 40, {fill: now => [knownComputer('bad', bad, now)]});
	parts.stores.fleet.setState({problems: new Map([['bad', {what: hostile, hint: hostile, at: 1}]])});
	await screen.until(lines => lines.join('').includes('evil'));
	expectStraightBorders(screen.cells());
	await screen.resize(80, 24);
	expectStraightBorders(screen.cells());
	await screen.press('/', hostile.replace(/[\r\n\x1b\x07]/g, ''), '\r');
	expectStraightBorders(screen.cells());
	for (const chunk of screen.written) expect(guardWrite(chunk).foreign, JSON.stringify(chunk)).toBe(0);
});

test("a refused key isn't reported as a service without computers", async () => {
	const {parts, screen} = computers(80, 24, {
		fill: () => [],
		...hosted,
	});
	await screen.until(rows => text(rows).includes('Not added yet, but sessions run there: calm and 1 more.'));
	parts.stores.fleet.setState({sessions: new Map()});
	await screen.until(rows => text(rows).includes('None created or added here yet.'));
	const problem = {what: 'The service refuses the key.', at: 1};
	parts.stores.connection.setState({state: 'unauthorized', problem});
	const rows = await screen.until(lines => text(lines).includes('No computers known.'));
	expect(text(rows)).toContain('The service refuses the key.');
	expect(text(rows)).not.toContain('None created');
});

test('a new computer of the embedded service begins with where it is: every choice is seen', async () => {
	const home = temporaryFolder();
	mkdirSync(join(home, '.ssh'));
	writeFileSync(join(home, '.ssh/config'), 'Host devbox gpu-1 gpu-2 *.lab');
	vi.stubEnv('HOME', home);
	onTestFinished(() => void vi.unstubAllEnvs());
	const {screen} = computers(80, 24);
	await screen.press('N');
	const choices = ['this machine', 'devbox', 'gpu-1', 'gpu-2', 'another ssh host', 'by a command'];
	const rows = await screen.until(lines => choices.every(choice => lines.join('').includes(`) ${choice}`)));
	expect(text(rows)).toMatch(/▌ Where +\(●\) this machine/);
	expect(text(rows)).not.toContain('Remote user');
	await screen.press('\x1b[D', '\x1b[D');
	const other = await screen.until(lines => lines.join('').includes('(●) another ssh host'));
	expect(text(other)).toMatch(/ Host +│/);
	expect(text(other)).not.toContain('missing');
});
