import {afterEach, expect, test} from 'vitest';
import type {Service} from '../../src/api/service.ts';
import {createKeyMap} from '../../src/ui/bindings.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {openScreen, type Screen} from '../support/screen.tsx';
import {fillWithWork} from '../support/work-sample.ts';

let screen: Screen | undefined;
afterEach(() => screen?.close());

const own = {
	'retry-install': ['ctrl+t'],
	'new-session': ['f6'],
	undo: ['f7'],
	refresh: ['f8'],
	bottom: ['f9'],
	discard: ['f10'],
	'complete-filter': ['f11'],
};

test("hints and notices name the user's own keys, and hints line up", async () => {
	const clock = fakeClock();
	const keys = createKeyMap({byAction: new Map(Object.entries(own)), problems: []});
	expect(keys.problems).toEqual([]);
	const parts = appParts(clock, {keys});
	fillWithWork(parts.stores, clock.now());
	parts.view.setState({page: 'computers', tableCursors: {computers: 'old'}});
	screen = openScreen(parts, 120, 40);
	const rows = await screen.until(lines => lines.some(line => /Ctrl\+T +/.test(line)));
	const hints = rows.flatMap(row => /(?:Ctrl\+T|i|F6) +(?:runs|is off|opens|starts)/.exec(row) ?? []);
	expect(hints.length).toBeGreaterThan(1);
	expect(new Set(hints.map(hint => hint.search(/(?:runs|is off|opens|starts)$/))).size).toBe(1);

	await screen.press('/');
	await screen.until(lines => lines.some(line => line.includes('F11 completes')));
	await screen.press('\u001B');
	await screen.press('D');
	await screen.until(lines => lines.some(line => line.includes('y or Enter yes')));
	await screen.press('y');
	await screen.until(lines =>
		lines.some(line => line.includes('Computer forgotten here, not at the service; F7 undoes this')),
	);
});

test('the own key that sends a message also sends the first one of a new session', async () => {
	const clock = fakeClock();
	const keys = createKeyMap({byAction: new Map([['send', ['ctrl+s']]]), problems: []});
	const sessions = {create: async () => ({sessionId: 's-new', status: 'idle'})};
	const parts = appParts(clock, {keys, service: {sessions} as unknown as Service, profile: {agent: 'shell'}});
	fillWithWork(parts.stores, clock.now());
	const opened = openScreen(parts, 120, 40);
	screen = opened;
	await opened.press('n', 'echo hi', '\x13');
	await opened.until(() => parts.calls.some(call => call.startsWith('enqueue')));
	expect(parts.calls).toContain('enqueue s-new echo hi');
});
