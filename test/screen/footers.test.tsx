import {expect, test} from 'vitest';
import {openItem, openSession} from '../../src/ui/open-session.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {openScreen} from '../support/screen.tsx';
import {workParts} from '../support/work-sample.ts';

function app(columns: number, rows: number, opened?: 'main' | 'composer', host?: string) {
	const {clock, parts} = workParts({profile: {keyFrom: 'file', ...(host && {host})}});
	if (opened) openSession(parts, 's-api', opened);
	const screen = openScreen(parts, columns, rows);
	return {parts, screen, clock};
}

/** What the whole screen shows, as one line. */
const text = (rows: readonly string[]) => rows.map(row => row.trim()).join(' ');
const shows = (words: string | RegExp) => (rows: readonly string[]) => text(rows).search(words) >= 0;

test('the hooks dialog offers Enter only while there is a change to make', async () => {
	const {screen, parts} = app(120, 40);
	const plan = {lines: [], changes: 1, apply: () => []};
	for (const changes of [0, 1]) {
		parts.hooks.plan = async () => ({...plan, changes});
		await screen.press('H');
		const seen = await screen.until(shows(changes === 0 ? 'Nothing to install' : 'With hooks, '));
		expect(seen.at(-1)?.includes('Enter install')).toBe(changes === 1);
		expect(seen.at(-1)?.includes('u uninstall instead')).toBe(changes === 1);
		if (changes === 0) await screen.press('\x1b');
	}
	await screen.press('\r');
	await screen.until(rows => !/install|don't show/.test(rows.at(-1) ?? ''));
});

test('a key closes the hooks dialog, and the hint that hooks are missing is gone for good', async () => {
	const {screen, parts} = app(120, 40);
	const dismissed: boolean[] = [];
	parts.hooks.dismiss = async isDismissed => void dismissed.push(isDismissed);
	parts.hooks.hint.setState({isShown: true});
	await screen.press('H');
	await screen.until(shows('─ Install hooks ─'));
	await screen.press('x');
	await screen.until(rows => !text(rows).includes('─ Install hooks ─'));
	expect([dismissed, parts.hooks.hint.getState().isShown]).toEqual([[true], false]);
});

test.each([
	[80, 24],
	[120, 40],
])('on %i x %i, Escape leads back to the view where a session was opened', async (columns, rows) => {
	const {screen, parts} = app(columns, rows);
	const state = () => parts.view.getState();
	await screen.press('2', '\r');
	const opened = await screen.until(shows('Enter write'));
	expect(opened.at(-1)).toContain('Esc back to Sessions');
	const {shown} = state();
	// Also after writing in it.
	await screen.press('\r', '\x1b');
	expect(state()).toMatchObject({page: 'work', focus: 'main'});
	await screen.press('\x1b');
	expect(state()).toMatchObject({page: 'sessions', tableCursors: {sessions: shown?.id}});
	// From there and from the lists, it leads on as ever.
	await screen.press('\x1b');
	expect(state()).toMatchObject({page: 'work', focus: 'lists', shown});
	await screen.press('3', ']');
	await screen.until(shows('Esc back to Computers'));
	await screen.press('\x1b');
	expect(state()).toMatchObject({page: 'computers'});
	// Whoever chooses the Work view is back in it.
	await screen.press(']', '2', '1', '\x1b');
	expect(state()).toMatchObject({page: 'work', focus: 'lists'});
	await screen.press('\r');
	const again = await screen.until(() => state().focus === 'main');
	expect(again.at(-1)).not.toContain('back to');
	await screen.press('\x1b');
	expect(state()).toMatchObject({page: 'work', focus: 'lists'});
});

test('forgetting a computer that was opened from a view returns to that view', async () => {
	const {screen, parts} = app(120, 40);
	const computer = {kind: 'computer', id: 'build-box'} as const;
	await screen.press('3');
	await screen.until(() => parts.view.getState().page === 'computers');
	openItem(parts, computer);
	await screen.until(shows('Esc back to Computers'));
	await screen.press('D');
	await screen.until(shows('Forget build-box'));
	await screen.press('y');
	await screen.until(() => parts.calls.includes('forgetComputer build-box'));
	const {page, focus, shown} = parts.view.getState();
	expect({page, focus, shown}).toEqual({page: 'computers', focus: 'lists', shown: undefined});
	await screen.press('u');
	await screen.until(() => parts.view.getState().tableCursors.computers === 'build-box');
});

test('for a refused key from a file, the banner first names the key that reads the file again', async () => {
	const clock = fakeClock();
	const parts = appParts(clock, {profile: {keyFrom: 'file', keyFile: '/keys/acme'}});
	const screen = openScreen(parts, 80, 24);
	const problem = {what: 'The service refused the key', at: 0};
	parts.stores.connection.setState({state: 'unauthorized', problem});
	await screen.until(shows(/refused the key\. r reads \/keys\/acme again\. K replaces it\./));
});

test('a banner with keys says which key to press first where they would type text', async () => {
	const {screen, parts} = app(120, 40, 'main');
	const problem = {what: 'The service refused the key', at: 0};
	parts.stores.connection.setState({state: 'unauthorized', problem});
	await screen.until(shows(/refused the key\. K replaces it\. r tries again now\. P opens/));
	await screen.press('\r');
	await screen.until(
		shows(/refused the key\. After Esc: K replaces it, r tries again now, P opens another profile\./),
	);
	await screen.press('\x1B', '/');
	await screen.until(shows('After Esc: K replaces it'));
	await screen.press('\x1B');
	await screen.until(shows('refused the key. K replaces it'));
	await screen.press('\x1B', '/');
	// That of a filter which Escape would clear.
	await screen.until(shows('After Enter: K replaces it'));
	parts.stores.connection.setState({state: 'offline', problem: {...problem, what: 'It is down', hint: ''}});
	// It was reached before, so at first only the header says it.
	await screen.until(rows => !text(rows).includes('After Enter'));
});

test.each(['offline', 'unauthorized'] as const)('%s, a session title reports no failed read', async state => {
	const {screen, parts} = app(200, 50, 'main');
	const what = 'The service answers no more';
	parts.stores.connection.setState({state, okAt: 1, problem: {what, at: 0}});
	const {open} = parts.stores.streams.getState();
	const stream = open.get('s-api');
	if (!stream) throw new Error('The session is open.');
	const seen = await screen.until(shows(state === 'offline' ? 'offline since' : 'key refused'));
	expect(text(seen).split('✗ The')).toHaveLength(state === 'offline' ? 1 : 2);
	const phase = {name: 'failed', problem: {what: 'The read failed', at: 0}} as const;
	parts.stores.streams.setState({open: new Map([...open, ['s-api', {...stream, phase, hasOlder: true}]])});
	const after = await screen.rows();
	expect(text(after)).not.toContain('The read failed');
	// A transcript isn't read from the service.
	const ofTranscript = {...stream, phase, transcript: {path: '/t.jsonl', unreadable: 0}};
	parts.stores.streams.setState({open: new Map([...open, ['s-api', ofTranscript]])});
	await screen.until(shows('✗ The read failed'));
	parts.stores.streams.setState({open: new Map([...open, ['s-api', {...stream, phase}]])});
	await screen.until(rows => !text(rows).includes('The read failed'));
	parts.stores.connection.setState({state: 'polling', problem: undefined});
	await screen.until(shows('✗ The read failed'));
});

test('an outage that lasts is explained on every view until the service responds', async () => {
	const {screen, parts} = app(80, 24, 'main', '127.0.0.1:8080');
	const what = "The service can't be reached at http://127.0.0.1:8080: the connection was refused.";
	const outage = {what, hint: 'Check the address and port, and that the service is running.', at: 0};
	parts.stores.connection.setState({state: 'offline', okAt: 1, problem: outage});
	await screen.until(shows('offline since'));
	expect(text(await screen.rows())).not.toContain("can't be reached");
	parts.stores.connection.setState({outage});
	const banner =
		/refused\. Check the address.* Quarterdeck keeps trying\. r tries again now\. P changes the address or profile\./;
	await screen.until(shows(banner));
	for (const key of '23456781') {
		await screen.press(key);
		await screen.until(shows(banner));
	}
	await screen.press('\r');
	// The advice gives way to the keys.
	await screen.until(
		shows(
			/refused\. Quarterdeck keeps trying\. After Esc: r tries again now, P changes the address or profile\./,
		),
	);
	await screen.press('\x1B', 'P');
	await screen.until(rows => text(rows).includes('keeps trying') && !text(rows).includes('tries again now'));
	await screen.press('\x1B');
	await screen.resize(120, 40);
	const wide = await screen.until(
		shows(/refused\. Check the address and port.* Quarterdeck keeps trying\. r tries/),
	);
	// The title of the stream doesn't repeat it.
	expect(text(wide).split('✗ The')).toHaveLength(2);
	parts.stores.connection.setState({state: 'polling', okAt: 2, problem: undefined, outage: undefined});
	await screen.until(rows => !text(rows).includes('keeps trying'));
});

test('without messages, a stream names the key that tries again, and from the composer how to reach it', async () => {
	const {screen, parts} = app(80, 24, 'main');
	const problem = {what: 'It is down', at: 0};
	const stream = {sessionId: 's-api', entries: [], hasOlder: false, phase: {name: 'loading'}} as const;
	parts.stores.streams.setState({open: new Map([['s-api', stream]])});
	parts.stores.connection.setState({state: 'offline', okAt: 1, problem});
	await screen.until(shows('│  r tries again.'));
	await screen.press('\r');
	await screen.until(shows('│  After Esc: r tries again.'));
});

test('r tries again in every view while the service is offline', async () => {
	const {screen, parts} = app(80, 24, 'main');
	const problem = {what: 'It is down', at: 0};
	parts.stores.connection.setState({state: 'offline', okAt: 1, problem, outage: problem});
	for (const key of '12345678') {
		await screen.press(key);
		parts.calls.length = 0;
		await screen.press('r');
		await screen.until(() => parts.calls.some(call => call.startsWith('refresh')));
	}
});

test('on a small screen, Home and End go through all sessions, and the border counts what is above', async () => {
	const {screen, parts} = app(80, 24);
	const first = await screen.until(shows(/▌! claude shop/));
	expect(text(first)).not.toContain('more ↑');
	await screen.press('G');
	await screen.until(shows(/4 more ↑ · 8 .*▌· cleanup/));
	await screen.press('g');
	await screen.until(shows(/▌! claude shop/));
	// With nothing else there, the end is the last of what needs the user.
	await screen.press('w', 'G');
	await screen.until(shows(/▌✗ old-laptop/));
	await screen.press('w', 'G', 'j', 'G', 'g');
	await screen.until(() => parts.view.getState().cursor?.section === 'computers');
	await screen.until(shows(/▌✗ old-laptop/));
});

test('a form with one field offers no next field, and calls nothing missing before Enter', async () => {
	const {screen} = app(80, 24);
	await screen.press('P', 'K');
	const rows = await screen.until(shows('Replace the key of'));
	expect(text(rows)).not.toMatch(/Tab next|is missing/);
	await screen.press('\r');
	await screen.until(shows('✗ The key is missing'));
});
