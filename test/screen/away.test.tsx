import {afterEach, expect, test} from 'vitest';
import type {KnownSession} from '../../src/domain/known.ts';
import type {SessionActivity} from '../../src/domain/sessions/activity.ts';
import {type AwayOptions, createAway} from '../../src/ui/away.ts';
import {openSession} from '../../src/ui/open-session.ts';
import {appParts} from '../support/app-parts.ts';
import {type FakeClock, fakeClock} from '../support/fake-clock.ts';
import {fleet, knownComputer, knownSession} from '../support/fleet.ts';
import {openScreen, type Screen} from '../support/screen.tsx';

const minute = 60_000;
const title = 'While you were away';

let screen: Screen | undefined;
let stop = () => {};
afterEach(() => {
	stop();
	screen?.close();
});

type Setup = {
	readonly clock: FakeClock;
	readonly parts: ReturnType<typeof appParts>;
	readonly screen: Screen;
	/** Keys as saved for the next start, Unix ms. */
	readonly saved: readonly number[];
	/** What a session's messages tell from now on. */
	answer(id: string, more?: Partial<SessionActivity>): void;
	shows(text: string): Promise<string[]>;
	hasDialog(): Promise<boolean>;
};

const names = ['Fix the login test', 'Upgrade React', 'Write the release notes'];

/** Three sessions at rest, at a service that answers; `lastKey` is when the last run ended, ms ago. */
function away({
	minutes = 3,
	lastKey,
	isReached = true,
}: {
	minutes?: number;
	lastKey?: number;
	isReached?: boolean;
} = {}): Setup {
	const clock = fakeClock();
	const saved: number[] = lastKey === undefined ? [] : [clock.now() - lastKey];
	const lastKeys: AwayOptions['lastKey'] = {load: () => saved.at(-1), save: at => void saved.push(at)};
	const base = appParts(clock);
	const {stores, listBuilder, view, composers} = base;
	const parts = {
		...base,
		away: createAway({stores, listBuilder, view, composers, clock, minutes, lastKey: lastKeys}),
	};
	const activity = (more: Partial<SessionActivity>): SessionActivity => ({
		state: 'done',
		evidence: 'answer',
		at: clock.now(),
		changedAt: clock.now(),
		newestId: `m-${clock.now()}`,
		unread: 1,
		words: 'All tests pass.',
		...more,
	});
	const session = (id: string, name: string, more: Partial<KnownSession> = {}) =>
		knownSession(id, {name, activity: activity({unread: 0, changedAt: clock.now() - 600 * minute}), ...more});
	stores.fleet.setState(
		fleet(
			names.map((name, index) => session(`s-${index}`, name)),
			[knownComputer('box', {status: 'provisioning'})],
		),
	);
	if (isReached) stores.connection.setState({state: 'polling', okAt: clock.now()});
	const opened = openScreen(parts, 120, 40);
	screen = opened;
	stop = parts.away.start();
	return {
		clock,
		parts,
		screen: opened,
		saved,
		answer(id, more = {}) {
			const {sessions} = stores.fleet.getState();
			const known = sessions.get(id);
			if (known)
				stores.fleet.setState({sessions: new Map(sessions).set(id, {...known, activity: activity(more)})});
		},
		shows: text => opened.until(lines => lines.join('\n').includes(text)),
		hasDialog: async () => (await opened.rows()).join('\n').includes(title),
	};
}

test('opens by itself after the minutes without a key', async () => {
	const {clock, answer, shows, parts, screen} = away({minutes: 6});
	await clock.advance(2 * minute);
	answer('s-0');
	answer('s-1', {state: 'asks', evidence: 'question', words: 'Keep the index, or drop it?'});
	await clock.advance(minute);
	answer('s-2', {state: 'working', evidence: 'tool-call', unread: 4, tool: 'Bash'});
	const {computers} = parts.stores.fleet.getState();
	parts.stores.fleet.setState({
		computers: new Map(computers).set('box', knownComputer('box', {name: 'gpu-lab', status: 'error'})),
	});
	await clock.advance(3 * minute - 1);
	expect((await screen.rows()).join('\n')).not.toContain(title);
	await clock.advance(1);
	const lines = await shows(title);
	const text = lines.join('\n');
	expect(text).toMatch(/While you were away {2}since \d\d:\d\d · 3 sessions · 1 computer/);
	const y = lines.findIndex(line => line.includes(title));
	const from = lines[y]?.indexOf(`╭─ ${title}`) ?? -1;
	const to = lines[y]?.indexOf('╮', from) ?? -1;
	const entries = lines.slice(y + 1, y + 5).map(line => line.slice(from + 2, to));
	for (const line of lines.slice(y + 1, y + 5)) expect([line[from], line[to]], line).toEqual(['│', '│']);
	expect([lines[y + 5]?.[from], lines[y + 5]?.[to]]).toEqual(['╰', '╯']);
	expect(entries).toEqual([
		expect.stringMatching(/^✗ failed .*gpu-lab .*provisioning failed .* 3m/),
		expect.stringMatching(/^● working .*Write the release notes .*running Bash .* 3m/),
		expect.stringMatching(/^✓ done .*Fix the login test .*All tests pass\..* 4m/),
		expect.stringMatching(/^! asks .*Upgrade React .*Keep the index, or.* 4m/),
	]);
	await screen.press('\r');
	expect(parts.view.getState()).toMatchObject({
		page: 'work',
		shown: {kind: 'computer', id: 'box'},
		dialogs: [],
	});
});

test('updates live, follows keys and the mouse, opens what it lists and closes', async () => {
	const {clock, answer, shows, parts, screen, hasDialog} = away();
	await clock.advance(minute);
	answer('s-0');
	await clock.advance(2 * minute);
	await shows(title);
	answer('s-1', {state: 'failed', evidence: 'error', words: 'Out of memory.'});
	await shows('Out of memory.');
	await screen.press('j');
	await screen.press('\r');
	await shows('Fix the login test');
	expect(await hasDialog()).toBe(false);
	expect(parts.view.getState().shown).toEqual({kind: 'session', id: 's-0'});
	await screen.press('\x10', 'while you were', '\r');
	await shows('Out of memory.');
	// The cursor stays on its session when another one comes above it.
	await screen.press('j');
	answer('s-2');
	await shows('3 sessions');
	const y = (await screen.rows()).findLastIndex(line => line.includes('Out of memory.'));
	for (let press = 0; press < 2; press++)
		for (const isRelease of [false, true]) parts.mouse.report({button: 0, x: 50, y, isRelease});
	await screen.until(lines => !lines.join('\n').includes(title));
	expect(parts.view.getState().shown).toEqual({kind: 'session', id: 's-1'});
});

test('opens only once something has happened; a key or the mouse ends the pause', async () => {
	const {clock, answer, shows, screen, hasDialog, parts, saved} = away();
	await clock.advance(2 * minute);
	await screen.press('j');
	answer('s-0');
	await clock.advance(2 * minute);
	parts.mouse.report({button: 0, x: 1, y: 1, isRelease: false});
	await clock.advance(2 * minute);
	expect(await hasDialog()).toBe(false);
	await screen.press('k');
	await clock.advance(6 * minute);
	expect(await hasDialog()).toBe(false);
	answer('s-1');
	await shows('1 session');
	await screen.press('\x1b');
	await screen.until(lines => !lines.join('\n').includes(title));
	// Once closed, it stays closed until the next pause.
	answer('s-2');
	expect(await hasDialog()).toBe(false);
	expect(saved.length).toBeGreaterThan(0);
});

test('never covers text that is being typed, nor another dialog', async () => {
	const {clock, answer, hasDialog, screen, parts, shows} = away();
	openSession(parts, 's-2', 'composer');
	await screen.press('half a thought');
	await clock.advance(minute);
	answer('s-0');
	await clock.advance(4 * minute);
	expect(await hasDialog()).toBe(false);
	await shows('half a thought');
	await screen.press('\x15', '\x1b', '?');
	await shows('type to search');
	await clock.advance(4 * minute);
	answer('s-1');
	expect(await hasDialog()).toBe(false);
	await screen.press('\x1b', '/', 'login');
	await clock.advance(4 * minute);
	answer('s-1');
	expect(await hasDialog()).toBe(false);
});

test('is off with 0 minutes, and can still be asked for', async () => {
	const {clock, answer, hasDialog, screen, shows} = away({minutes: 0});
	await clock.advance(minute);
	answer('s-0');
	await clock.advance(6 * minute);
	expect(await hasDialog()).toBe(false);
	await screen.press('\x10', 'while you were', '\r');
	await shows('1 session');
});

test('a start long after the last key shows it once the service has answered', async () => {
	const {answer, shows, hasDialog, parts, clock} = away({lastKey: 240 * minute, isReached: false});
	answer('s-0', {changedAt: clock.now() - 200 * minute});
	expect(await hasDialog()).toBe(false);
	parts.stores.connection.setState({state: 'polling', okAt: clock.now()});
	await shows('1 session');
});

test("doesn't open after a key before the first answer, or on a start soon after the last key", async () => {
	const early = away({lastKey: 240 * minute, isReached: false});
	early.answer('s-0');
	await early.screen.press('j');
	early.parts.stores.connection.setState({state: 'polling', okAt: early.clock.now()});
	early.answer('s-1');
	expect(await early.hasDialog()).toBe(false);
	await early.screen.press('\x10', 'while you were', '\r');
	await early.shows('2 sessions');
	stop();
	early.screen.close();
	const soon = away({lastKey: 2 * minute});
	soon.answer('s-0');
	expect(await soon.hasDialog()).toBe(false);
});

test('a key in another program with the same data counts, too', async () => {
	const {clock, answer, hasDialog, saved, shows} = away();
	await clock.advance(2 * minute);
	(saved as number[]).push(clock.now());
	answer('s-0');
	await clock.advance(2 * minute);
	expect(await hasDialog()).toBe(false);
	answer('s-1');
	await clock.advance(minute);
	await shows('1 session');
});
