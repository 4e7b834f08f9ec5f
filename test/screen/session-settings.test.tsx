import {expect, test} from 'vitest';
import type {Service} from '../../src/api/service.ts';
import type {SessionSettings} from '../../src/domain/sessions/session.ts';
import {openSession} from '../../src/ui/open-session.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {knownSession} from '../support/fleet.ts';
import {openScreen} from '../support/screen.tsx';
import {fillWithWork} from '../support/work-sample.ts';

const settings: SessionSettings = {
	model: 'model-x',
	specModeModel: 'planner',
	tags: [{name: 'payments'}, {name: 'urgent'}],
	disabledToolIds: ['web'],
	tokenUsage: {
		inputTokens: 123_456,
		outputTokens: 7_890,
		serviceCredits: 42,
		models: ['model-x-2'],
		costUsd: 1.5,
	},
	childInclusiveTokenUsageBySessionId: {child: {}},
};

function app(columns: number, rows: number, update?: Service['sessions']['update']) {
	const clock = fakeClock();
	const service = {sessions: {update}} as unknown as Service;
	const parts = appParts(clock, {service});
	fillWithWork(parts.stores, clock.now());
	const {sessions} = parts.stores.fleet.getState();
	const known = knownSession('s-api', {
		...sessions.get('s-api'),
		session: {sessionId: 's-api', title: 'api-migration', messageCount: 12, sessionSettings: settings},
	});
	parts.stores.fleet.setState({sessions: new Map(sessions).set('s-api', known)});
	openSession(parts, 's-api', 'main');
	const screen = openScreen(parts, columns, rows);
	return {parts, clock, screen};
}

test('in the Work view, t tags the session at the cursor or the open one, and v marks it where several are', async () => {
	const patches: unknown[] = [];
	const {screen, parts} = app(120, 40, async (id, {sessionSettings}) => {
		if (sessionSettings) patches.push([id, sessionSettings]);
		return {sessionId: id, sessionSettings: sessionSettings ?? settings};
	});
	const has = (words: string) => (lines: readonly string[]) => lines.join('').includes(words);
	await screen.until(has('model-x'));
	await screen.press('t');
	await screen.until(has('Tag the session'));
	await screen.press('\x1b', '\x1b', 't');
	await screen.until(has('Tag the session'));
	await screen.press('\t');
	await screen.until(has('now: payments, urgent'));
	await screen.press('\x1b[Z', 'release', '\x13');
	await screen.until(has('Changed the tags of 1 session'));
	const tags = [{name: 'payments'}, {name: 'urgent'}, {name: 'release'}];
	expect(patches).toEqual([['s-api', {tags}]]);
	await screen.press('v');
	await screen.until(has('Sessions · 1 marked'));
	await screen.until(has('STATE▲'));
	expect([...parts.view.getState().sessions.marked]).toEqual(['s-api']);
});

test.each([
	[40, 12],
	[120, 40],
])('%i x %i: one key shows everything known of a session', async (columns, rows) => {
	const {screen} = app(columns, rows);
	await screen.until(lines => lines.join('').includes('api-migration'));
	await screen.press('i');
	const seen: string[] = [...(await screen.until(lines => lines.join('').includes('Esc close')))];
	for (let page = 0; page < 8; page++) {
		await screen.press('\x04');
		seen.push(...(await screen.rows()));
	}
	const text = seen.join('\n');
	for (const word of [
		'plan model',
		'planner',
		'payments, urgent',
		'credits',
		'model-x-2',
		'1.50 USD',
		'tools denied',
		'refreshed',
	])
		expect(text).toContain(word);
	await screen.press('\x1b');
	await screen.until(lines => !lines.join('').includes('Esc close'));
});

test('only what was changed is sent; the name stays on this machine', async () => {
	const sent: unknown[] = [];
	const {screen, parts} = app(120, 40, async (id, patch) => {
		sent.push([id, patch]);
		return {sessionId: id, sessionSettings: {...settings, ...patch.sessionSettings}};
	});
	await screen.until(lines => lines.join('').includes('model-x'));
	await screen.press('\x05');
	await screen.until(lines => lines.join('').includes('Edit session'));
	await screen.press('mine\t', '\t', '\t', ', new', '\x13');
	await screen.until(lines => !lines.join('').includes('Edit session'));
	expect(sent).toEqual([
		['s-api', {}],
		['s-api', {sessionSettings: {tags: [{name: 'payments'}, {name: 'urgent'}, {name: 'new'}]}}],
	]);
	expect(parts.calls).toContain('markSession s-api {"name":"mine"}');
});

test('a model can be changed but not cleared: the form says so and sends nothing', async () => {
	const {screen} = app(120, 40, () => expect.fail('nothing is to be sent'));
	await screen.until(lines => lines.join('').includes('model-x'));
	await screen.press('\x05', '\t', ...Array.from({length: 7}, () => '\x7f'), '\x13');
	await screen.until(lines => lines.join('').includes("can't clear the model"));
	await screen.press('model-x', '\x13');
	await screen.until(lines => !lines.join('').includes('Edit session'));
});

test.each([
	['running', true],
	['pending', false],
] as const)('archiving says that the agent goes on only while it is at work: %s', async (value, goesOn) => {
	const {screen, parts, clock} = app(120, 40, async id => ({sessionId: id}));
	const {sessions} = parts.stores.fleet.getState();
	const status = {value, source: 'updated', at: clock.now()} as const;
	const known = knownSession('s-api', {...sessions.get('s-api'), status});
	parts.stores.fleet.setState({sessions: new Map(sessions).set('s-api', known)});
	parts.stores.outbox.setState({bySession: new Map()});
	await screen.press('X');
	const rows = await screen.until(lines => lines.join('').includes('Archived 1 session'));
	expect(rows.join('').includes('1 agent goes on')).toBe(goesOn);
});

test('archiving says what it does and what undoes it, and hides the session behind a toggle', async () => {
	const {screen, parts, clock} = app(120, 40, async (id, patch) => ({
		sessionId: id,
		title: 'api-migration',
		sessionSettings: {...settings, ...patch.sessionSettings},
	}));
	await screen.until(lines => lines.join('').includes('model-x'));
	await screen.press('X');
	await screen.until(lines =>
		lines.join('').includes('u shows it here again (the service keeps it archived); 1 agent goes on'),
	);
	await screen.until(() => parts.calls.some(call => call.startsWith('rememberSession')));
	const archivedAt = new Date(clock.now()).toISOString();
	const {sessions} = parts.stores.fleet.getState();
	const known = sessions.get('s-api');
	if (!known?.session) throw new Error('no session');
	const session = {...known.session, sessionSettings: {...settings, archivedAt}};
	parts.stores.fleet.setState({sessions: new Map(sessions).set('s-api', {...known, session})});
	await screen.until(
		lines => lines.join('').includes('1 hidden (A)') && !lines.join('').includes('api-migration'),
	);
	await screen.press('A');
	const shown = await screen.until(lines => lines.join('').includes('api-migration'));
	// It did not end: its agent goes on.
	expect(shown.join('\n')).toMatch(/▾ Ended 1[^▾]*▾ Archived 1[^▾]*◌ api-migration/);
	await screen.press('2');
	await screen.until(lines => /● 2 working .*◌ working\? +api-migration/.test(lines.join('')));
	await screen.press('1');
	await screen.press('u');
	await screen.until(() => parts.calls.includes(`markSession s-api {"restored":"${archivedAt}"}`));
});

test('renaming starts with the title', async () => {
	const {screen, parts} = app(120, 40);
	parts.view.setState({focus: 'lists', cursor: {section: 'sessions', id: 's-api'}});
	await screen.press('e');
	const lines = await screen.until(lines => lines.join('').includes('Rename session'));
	expect(lines.find(line => line.includes('Local name'))).toContain('api-migration');
});

test.each(['lists', 'main'] as const)('with the focus on %s, Ctrl+E edits the session', async focus => {
	const {screen, parts} = app(120, 40);
	parts.view.setState({focus, cursor: {section: 'sessions', id: 's-api'}});
	await screen.press('\x05');
	const lines = await screen.until(rows => rows.join('').includes('Edit session'));
	expect(lines.find(line => line.includes('Tags'))).toContain('payments, urgent');
});

test('Shift+Tab in the composer changes the mode of the agent, which the header shows', async () => {
	const asked: unknown[] = [];
	const answer = Promise.withResolvers<void>();
	const {parts, screen} = app(120, 40, async (sessionId, {mode = 'ask'}) => {
		asked.push(mode);
		await answer.promise;
		return {sessionId, agent: 'claude', mode};
	});
	const {sessions} = parts.stores.fleet.getState();
	const session = {sessionId: 's-api', agent: 'claude', mode: 'ask'} as const;
	parts.stores.fleet.setState({sessions: new Map(sessions).set('s-api', knownSession('s-api', {session}))});
	await screen.until(lines => lines.join('').includes('claude · ask'));
	await screen.press('\r', '\x1b[Z', '\x1b[Z');
	expect(asked).toEqual(['accept-edits']);
	answer.resolve();
	await screen.until(lines => lines.join('').includes('Mode: plan'));
	expect(asked).toEqual(['accept-edits', 'plan']);
});
