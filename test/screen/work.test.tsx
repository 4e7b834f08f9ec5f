import {expect, test} from 'vitest';
import type {Service} from '../../src/api/service.ts';
import {addNotice} from '../../src/state/notices.ts';
import {guardWrite} from '../../src/term/guarded-stdout.ts';
import {openSession} from '../../src/ui/open-session.ts';
import {appParts} from '../support/app-parts.ts';
import {expectStraightBorders} from '../support/borders.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {fleet, knownComputer, knownSession, signal} from '../support/fleet.ts';
import {has, openScreen} from '../support/screen.tsx';
import {workParts} from '../support/work-sample.ts';

function work(columns: number, rows: number, opens = true, profile: {readonly host?: string} = {}) {
	const {clock, parts} = workParts({profile});
	if (opens) openSession(parts, 's-api', 'main');
	const screen = openScreen(parts, columns, rows);
	return {parts, clock, screen};
}

test.each([
	[40, 12],
	[120, 40],
])('%i x %i: every border is straight, whatever the names are', async (columns, rows) => {
	// On the others, an open session has the whole screen.
	const {screen} = work(columns, rows, columns > 80);
	const seen = await screen.until(lines => lines.join('').includes('gpu-1'));
	expect(seen).toHaveLength(rows);
	expectStraightBorders(screen.cells());
});

test('everything is there at once: who needs me, what runs, what is said, how it is delivered', async () => {
	const {screen} = work(120, 40);
	const text = (await screen.until(lines => lines.join('').includes('sending'))).join('\n');
	expect(text).toMatch(/! 3 need you +3 working +1 idle +✗ 1 failed/);
	expect(text).toMatch(/! claude shop asks .* 2m/);
	expect(text).toMatch(/▾ hibernating 1/);
	expect(text).toMatch(/✗ old-laptop/);
	expect(text).toMatch(/gpu-1 +━+─+ +3\/5 +38s/);
	expect(text).toMatch(/old-laptop +step failed/);
	expect(text).toMatch(/api-migration · build-box · ● working · model-x · checked 11s ago/);
	expect(text).toMatch(/you \d\d:\d\d [\s\S]*bump the schema to v7/);
	expect(text).toMatch(/you \d\d:\d\d +◌ sending[\s\S]*and run the slow tests too/);
});

test('once nobody has read a session for a minute, lists show its state as last read, and no row moves', async () => {
	const {screen, clock} = work(120, 40);
	const before = await screen.until(lines => lines.join('').includes('▾ Working 3'));
	await clock.advance(61_000);
	const after = await screen.until(lines => lines[0]?.includes(' 3 working? ') === true);
	const text = after.join('\n');
	expect(text).toMatch(/◌ api-migration/);
	expect(text).toContain('when last read');
	expect(text).toMatch(/api-migration · build-box · ◌ working\?/);
	expect(text).not.toMatch(/[◐◓◑◒●] working|[◐◓◑◒]/);
	const rowOf = (rows: readonly string[], words: RegExp) => rows.findIndex(row => words.test(row));
	for (const words of [/▾ Working/, /[◐◓◑◒◌] api-migration/, /▾ Idle/])
		expect(rowOf(after, words)).toBe(rowOf(before, words));
});

test("hostile text, wherever it comes from, doesn't reach the terminal or bend a border", async () => {
	const {clock, parts} = workParts();
	const hostile =
		'\x1b]52;c;aGk=\x07\x1b[2J\x1b[31mred\r\n\x9b5m\u202eevil\u200b\ud800 e\u0301\u0301\u0301\u0301\u0301\u0301 👩‍👩‍👧‍👦\t界';
	const session = knownSession('s-bad', {
		computerId: 'c-bad',
		session: {sessionId: 's-bad', title: hostile, sessionSettings: {model: hostile}},
		status: {value: hostile, source: 'updated', at: clock.now()},
	});
	const step = {name: hostile, status: 'failed', error: hostile.repeat(12)};
	const computer = knownComputer('c-bad', {
		name: hostile,
		hostname: hostile,
		status: 'error',
		provisioningSteps: [step],
	});
	parts.stores.fleet.setState({
		...fleet(
			[session],
			[computer],
			[signal('x', 'error', {client: hostile, cwd: hostile, message: hostile})],
		),
		problems: new Map([['c-bad', {what: hostile, hint: hostile, at: clock.now()}]]),
	});
	const message = {
		id: 'm',
		content: [{text: hostile}, {type: 'tool_use', name: hostile, input: {[hostile]: hostile}}],
	};
	parts.stores.streams.setState({
		open: new Map([
			[
				's-bad',
				{
					sessionId: 's-bad',
					entries: [{kind: 'message', id: 'm', version: 1, message}],
					hasOlder: false,
					phase: {name: 'failed', problem: {what: hostile, at: 0}},
				},
			],
		]),
	});
	addNotice(parts.stores.notices, {tone: 'bad', text: hostile, at: clock.now()});
	openSession(parts, 's-bad', 'main');
	const screen = openScreen(parts, 120, 40);
	await screen.until(rows => rows.join('').includes('evil'));
	expectStraightBorders(screen.cells());
	await screen.press('\x1b', 'G', '\t', '\t');
	await screen.until(rows => rows.join('').includes('c-bad'));
	expectStraightBorders(screen.cells());
	for (const chunk of screen.written) expect(guardWrite(chunk).foreign, JSON.stringify(chunk)).toBe(0);
});

test('keys move the cursor and show what it is on', async () => {
	const {screen, parts} = work(120, 40, false);
	await screen.until(rows => rows.some(row => row.includes('▌! claude shop')));
	await screen.press('j', 'j', 'j');
	await screen.until(rows =>
		rows.some(row => row.includes('▌◌ 数据库迁移') || row.includes('▌◐ api-migration')),
	);
	expect(parts.view.getState().cursor?.section).toBe('sessions');
	await screen.press('G', 'j', 'j');
	const detail = await screen.until(rows => rows.join('').includes('install dependencies'));
	expect(detail.join('\n')).toMatch(/● install dependencies +running +38s/);
	await screen.press('k');
	const failed = (await screen.until(rows => rows.join('').includes('ENOSPC'))).join('\n');
	expect(failed).toContain('insufficient space on your system');
	expect(failed).toContain('R  retries the dependency install');
});

test('Space writes to the session and Enter sends, which empties the composer and its draft', async () => {
	const {screen, parts, clock} = work(120, 40);
	await screen.until(rows => rows.join('').includes('Space or Enter writes'));
	await screen.press(' ', 'hello 界');
	const rows = await screen.until(lines => lines.join('').includes('> hello'));
	const y = rows.findIndex(row => row.includes('> hello'));
	expect(screen.cursor()).toEqual({x: 35 + 4 + 8, y});
	await clock.advance(250);
	expect(parts.kept.get('s-api')?.text).toBe('hello 界');
	await screen.press('\n', 'x', '\x7f', '\r');
	await screen.until(() => parts.calls.includes('enqueue s-api hello 界\n'));
	await screen.until(lines => lines.join('').includes('Write to the agent'));
	await clock.advance(250);
	expect(parts.kept.size).toBe(0);
});

test('letters in the composer are text: no key of the lists acts', async () => {
	const {screen, parts} = work(120, 40);
	await screen.press(' ', 'q', 'D', '?', 'n', '/');
	await screen.until(rows => rows.join('').includes('> qD?n/'));
	expect(parts.view.getState().dialogs).toEqual([]);
	expect(parts.calls).not.toContain('quit');
});

test('a paste goes in whole and sends nothing', async () => {
	const {screen, parts} = work(120, 40);
	await screen.press(' ', '\x1b[200~one\rtwo\x1b[201~');
	await screen.until(rows => rows.join('').includes('> one'));
	expect(parts.calls.filter(call => call.startsWith('enqueue'))).toEqual([]);
});

test('what is being read stays in place while messages arrive', async () => {
	const {screen, parts} = work(120, 24);
	await screen.until(rows => rows.join('').includes('sending'));
	await screen.press('\x15');
	await screen.until(rows => rows.join('').includes('↓ End ─'));
	// In the lists, End moves the cursor.
	await screen.press('\x1b');
	await screen.until(rows => rows.join('').includes('─ ↓ ─'));
	parts.view.setState({focus: 'main'});
	const before = await screen.until(rows => rows.join('').includes('↓ End ─'));
	const streams = parts.stores.streams.getState();
	const stream = streams.open.get('s-api');
	if (!stream) throw new Error('no stream');
	const entry = {
		kind: 'message' as const,
		id: 'new',
		version: 1,
		message: {id: 'new', content: [{text: 'fresh words'}]},
	};
	parts.stores.streams.setState({
		open: new Map([['s-api', {...stream, entries: [...stream.entries, entry]}]]),
	});
	const after = await screen.until(rows => rows.join('').includes('1 new · End'));
	expect(after.slice(1, 14)).toEqual(before.slice(1, 14));
	await screen.press('G');
	await screen.until(rows => rows.join('').includes('fresh words'));
});

test('a form on the smallest screen keeps its focused field in sight, and says what is wrong', async () => {
	const {screen, parts} = work(40, 12, false, {host: 'acme.example'});
	await screen.until(rows => rows.join('').includes('▌! claude shop'));
	await screen.press('\t', '\t', 'N');
	await screen.until(rows => rows.join('').includes('New computer'));
	await screen.press('gpu\tme\t', 'no address', '\t', '\t', '\t');
	const rows = await screen.until(lines => lines.join('').includes('▌ Host id'));
	expect(rows).toHaveLength(12);
	expect(parts.forms.getState().form?.values).toMatchObject({
		name: 'gpu',
		remoteUser: 'me',
		repos: 'no address',
	});
	await screen.press('\x13');
	await screen.until(lines => lines.join('').includes('Repository 1 is no'));
	await screen.press('\x1b');
	await screen.until(lines => !lines.join('').includes('New computer'));
});

test('a session known only from hook events says so, and has no composer', async () => {
	const {screen} = work(120, 40, false);
	await screen.until(rows => rows.join('').includes('▌! claude shop'));
	await screen.press('\r');
	const rows = await screen.until(lines => lines.join('').includes('runs in another terminal'));
	expect(rows.join('')).not.toContain('Message');
	await screen.press(' ');
	await screen.until(
		lines => lines.at(-1)?.includes('Its terminal is not known: no hook has reported its process') === true,
	);
});

test('forgetting asks, and can be undone', async () => {
	const {screen, parts} = work(120, 40, false);
	await screen.until(rows => rows.join('').includes('▌! claude shop'));
	await screen.press('j', 'D');
	await screen.until(rows => rows.join('').includes('Forget fix-login?'));
	await screen.press('y');
	await screen.until(() => parts.calls.some(call => call === 'forgetSession s-login'));
	await screen.press('j');
	await screen.until(() => parts.view.getState().cursor?.id !== 's-login');
	await screen.press('u');
	// What came back has the cursor.
	await screen.until(() => parts.view.getState().cursor?.id === 's-login');
	await screen.until(() => parts.calls.some(call => call.startsWith('restoreSession {"id":"s-login"')));
});

test('quitting asks first if typed text would be lost', async () => {
	const {screen, parts} = work(120, 40);
	parts.stores.connection.setState({storage: {what: 'the disk is full', at: 0}});
	await screen.press(' ', 'precious', '\x03', '\x03');
	await screen.until(rows => rows.join('').includes('the disk is full'));
	expect(parts.calls).not.toContain('quit');
	await screen.press('n', '\x03', '\x03', 'y');
	await screen.until(() => parts.calls.includes('quit'));
});

test('q quits at once when everything is saved; Ctrl+C must be pressed twice', async () => {
	const {screen, parts} = work(120, 40);
	await screen.press('\x03');
	await screen.until(rows => rows.at(-1)?.includes('Ctrl+C again quits') === true);
	expect(parts.calls).not.toContain('quit');
	await screen.press('\x03');
	expect(parts.calls).toContain('quit');
	await screen.press('q');
	expect(parts.calls.filter(call => call === 'quit')).toHaveLength(2);
});

test.each([
	['Esc', '\x1B'],
	['a key without a meaning', '\x1C'],
	['a paste', '\x1B[200~words\x1B[201~'],
])('%s between two presses of Ctrl+C cancels quitting', async (_, key) => {
	const {screen, parts} = work(120, 40);
	const footer = (isShown: boolean) =>
		screen.until(rows => rows.at(-1)?.includes('Ctrl+C again quits') === isShown);
	await screen.press('\x03');
	await footer(true);
	await screen.press(key);
	await footer(false);
	await screen.press('\x03');
	await footer(true);
	expect(parts.calls).not.toContain('quit');
	await screen.press('\x03');
	expect(parts.calls).toContain('quit');
});

test('quitting asks once about agents at work: they go on, or end', async () => {
	let agents = 2;
	const {parts} = workParts({program: {agentsAtWork: async () => agents}});
	const screen = openScreen(parts, 80, 24);
	await screen.press('q');
	await screen.until(has("2 agents haven't finished", 'Enter leave running   e end them'));
	await screen.press('\x03', '\x03');
	expect(parts.view.getState().dialogs).toHaveLength(1);
	await screen.press('\x1b');
	await screen.until(rows => !rows.some(row => row.includes('at work')));
	expect(parts.calls).not.toContain('quit');
	await screen.press('q');
	await screen.until(has("2 agents haven't finished"));
	await screen.press('\r');
	await screen.until(() => parts.calls.includes('quit'));
	expect(parts.calls).not.toContain('endAgents');
	agents = 1;
	await screen.press('q');
	await screen.until(has("1 agent hasn't finished"));
	await screen.press('e');
	await screen.until(() => parts.calls.filter(call => call === 'quit').length === 2);
	expect(parts.calls).toContain('endAgents');
});

test('n without any computer creates one first, and then the session on it', async () => {
	const clock = fakeClock();
	const asked: unknown[] = [];
	const service = {
		computers: {
			create: async (draft: {name: string}) => {
				asked.push(draft);
				return {id: 'c-new', name: draft.name, status: 'provisioning'};
			},
		},
	} as unknown as Service;
	const parts = appParts(clock, {service, profile: {host: 'acme.example'}});
	const screen = openScreen(parts, 120, 40);
	await screen.until(rows =>
		[
			'creates a computer, and opens a session on it',
			'Sessions that you start or add',
			'None created or added here yet',
		].every(words => rows.join('').includes(words)),
	);
	expect((await screen.rows()).at(-1)).toContain('n new session');
	await screen.press('n');
	await screen.until(rows => rows.join('').includes('New computer'));
	// All that the service needs is filled in.
	expect((await screen.rows()).join('')).toMatch(/Name +computer-1 .*Remote user +me /);
	await screen.press('\r');
	await screen.until(() => parts.calls.some(call => call.startsWith('rememberComputer')));
	await screen.until(rows => rows.join('').includes('What should it do?'));
	expect(asked).toEqual([{name: 'computer-1', remoteUser: 'me'}]);
	expect(parts.view.getState().dialogs).toMatchObject([{kind: 'new-session', computerId: 'c-new'}]);
});
