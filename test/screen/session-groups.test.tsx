import {expect, test} from 'vitest';
import {targets} from '../../src/state/view/targets.ts';
import {appParts} from '../support/app-parts.ts';
import {expectStraightBorders} from '../support/borders.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {fleet, knownComputer, knownSession, signal} from '../support/fleet.ts';
import {has, openScreen} from '../support/screen.tsx';

const minute = 60_000;

/** One session that asks, two at work, three at rest and one of this machine, on two computers. */
function app(columns = 120, rows = 40) {
	const clock = fakeClock();
	const parts = appParts(clock);
	const now = clock.now();
	const session = (id: string, value: 'running' | 'idle', ago: number, computerId: string, tag?: string) =>
		knownSession(id, {
			addedAt: now - ago * minute,
			computerId,
			cwd: `/srv/${computerId}`,
			session: {sessionId: id, title: id, ...(tag && {sessionSettings: {tags: [{name: tag}]}})},
			status: {value, source: 'updated', at: now - ago * minute},
			readAt: now,
			wasEmpty: true,
		});
	parts.stores.fleet.setState(
		fleet(
			[
				session('fix-login', 'idle', 9, 'box'),
				session('docs-sync', 'running', 2, 'box', 'urgent'),
				session('search-index', 'running', 3, 'gpu'),
				session('cart', 'idle', 4, 'box'),
				session('shop', 'idle', 5, 'gpu', 'urgent'),
				session('api', 'idle', 6, 'gpu'),
			],
			[knownComputer('box', {name: 'build-box'}), knownComputer('gpu', {name: 'gpu-1'}, now - 1)],
			[
				signal('fix-login', 'needs-permission', {message: 'May I push?', since: now, lastEventAt: now}),
				signal('here', 'working', {cwd: '/home/me/blog', since: now, lastEventAt: now}),
			],
		),
	);
	parts.stores.connection.setState({state: 'polling', okAt: now, latency: 84});
	const opened = openScreen(parts, columns, rows);
	/** The rows of the lists that hold one of these words, in the order of the screen. */
	const listed = async (...words: readonly string[]) =>
		(await opened.rows())
			.map(row => row.slice(0, 56))
			.flatMap(row => words.filter(word => row.includes(word)).slice(0, 1));
	const click = async (text: string) => {
		await clock.advance(1000);
		const y = (await opened.rows()).findIndex(row => row.slice(0, 34).includes(text));
		for (const isRelease of [false, true]) parts.mouse.report({button: 0, x: 3, y, isRelease});
		await opened.rows();
	};
	return {parts, clock, screen: opened, listed, click, view: () => parts.view.getState()};
}

test.each([
	[80, 24],
	[200, 50],
])('%i x %i: the key groups by state, computer, tag, folder and not at all', async (columns, rows) => {
	const {screen, listed, parts} = app(columns, rows);
	await screen.until(has('▾ Working 3'));
	await screen.press('O');
	await screen.until(has('Sessions grouped by computer'));
	await screen.until(has('▾ build-box 2'));
	if (rows >= 40)
		expect(
			await listed('▾ build-box 2', 'docs-sync', '▾ gpu-1 3', 'search-index', '▾ this machine 1', 'claude'),
		).toEqual(['▾ build-box 2', 'docs-sync', '▾ gpu-1 3', 'search-index', '▾ this machine 1', 'claude']);
	await screen.press('O');
	await screen.until(has('▾ #urgent 2'));
	await screen.press('O');
	await screen.until(has('▾ /home/me/blog 1'));
	expectStraightBorders(screen.cells());
	await screen.press('O');
	await screen.until(all => has('Sessions not grouped')(all) && !all.some(row => row.includes('▾')));
	expect(parts.view.getState().grouping).toBe('none');
});

test('a collapsed group keeps its count, its heading has the cursor, and no key acts on its sessions', async () => {
	const {screen, view, parts} = app();
	await screen.until(has('▾ Idle 3'));
	await screen.press('j', 'j', 'j', 'j', 'h');
	await screen.until(has('▸ Idle 3'));
	expect(view().cursor).toEqual({section: 'sessions', group: 'state idle'});
	expect(targets(view())).toEqual({});
	expect((await screen.rows()).some(row => row.includes('▌▸ Idle 3'))).toBe(true);
	// What the keys do here.
	await screen.until(
		has('3 sessions are collapsed here.', 'Enter, l or →  expands the group', 'Enter expand'),
	);
	await screen.until(rows => !has('Enter open')(rows) && !has('opens the selected item')(rows));
	await screen.press('h');
	await screen.until(has('This group is collapsed'));
	await screen.press('D', 'X', ' ');
	await screen.until(has('No session is selected'));
	expect(view().dialogs).toEqual([]);
	// Past the heading to the computers, and back.
	await screen.press('j');
	expect(view().cursor?.section).toBe('computers');
	await screen.press('k', '\r');
	await screen.until(has('▾ Idle 3'));
	expect(view().cursor?.id).toBe('cart');
	await screen.press('\x1b[D');
	await screen.until(has('▸ Idle 3'));
	await screen.press('\x1b[C');
	await screen.until(has('▾ Idle 3'));
	expect(view().cursor).toEqual({section: 'sessions', id: 'cart'});
	expect(parts.calls.some(call => call.startsWith('forget') || call.startsWith('archive'))).toBe(false);
});

test('a click on a heading collapses the group, another expands it', async () => {
	const {screen, click, view} = app();
	await screen.until(has('▾ Working 3'));
	await click('▾ Working 3');
	await screen.until(rows => has('▸ Working 3')(rows) && !has('docs-sync')(rows));
	expect(view().cursor).toEqual({section: 'sessions', group: 'state working'});
	await click('▸ Working 3');
	await screen.until(has('▾ Working 3', 'docs-sync'));
});

test('the filter shows its matches in a collapsed group, too', async () => {
	const {screen, click} = app();
	await screen.until(has('▾ Idle 3'));
	await click('▾ Idle 3');
	await screen.press('/', '#urgent');
	await screen.until(has('▾ Idle 1', '▾ Working 1', 'docs-sync'));
	await screen.until(rows => !has('search-index')(rows));
	await screen.press('\x1b');
	await screen.until(has('▸ Idle 3'));
});

test('the key for density gives all sessions two lines, then one, then only busy ones two', async () => {
	const {screen} = app();
	await screen.until(has('asks · May I p'));
	const details = async () =>
		(await screen.rows()).filter(row => /^│. {2}(?:box|gpu-1|build-box) · /.test(row));
	// Where a working one runs is not worth a second line.
	expect(await details()).toHaveLength(0);
	await screen.press('L');
	await screen.until(has('Sessions: two lines each'));
	expect(await details()).toHaveLength(5);
	await screen.press('L');
	await screen.until(has('Sessions: one line each'));
	expect(await details()).toHaveLength(0);
	expect((await screen.rows()).join('\n')).toMatch(/fix-login +asks +build\S* +0s/);
	await screen.press('L');
	await screen.until(has('Sessions: two lines for busy sessions', 'asks · May I p'));
	expect(await details()).toHaveLength(0);
});
