import {afterEach, expect, test} from 'vitest';
import {NotFoundError} from '../../src/api/errors.ts';
import {addForm} from '../../src/ui/dialogs/form/add-form.ts';
import {openForm} from '../../src/ui/dialogs/form/open-form.ts';
import {openSession} from '../../src/ui/open-session.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {openScreen, type Screen} from '../support/screen.tsx';
import {fillWithWork} from '../support/work-sample.ts';

let screen: Screen | undefined;
afterEach(() => screen?.close());

function opened(columns = 120, rows = 40, profile: {readonly host?: string} = {}) {
	const clock = fakeClock();
	const parts = appParts(clock, {profile});
	fillWithWork(parts.stores, clock.now());
	openSession(parts, 's-api', 'main');
	screen = openScreen(parts, columns, rows);
	return {parts, screen};
}

/** What stands before the terminal's own cursor, so many cells of it. */
function beforeCursor(screen: Screen, length: number): string {
	const {x, y} = screen.cursor();
	return (screen.cells()[y] ?? []).slice(Math.max(0, x - length), x).join('');
}

const leave = '\x1b';

test.each([
	['keys', '?'],
	['palette', '\x10'],
	['search', 'F'],
	['find', '/'],
	['history search', ' \x12'],
])("%s: the terminal's own cursor stands where the words are typed", async (_, keys) => {
	const {screen} = opened();
	await screen.until(rows => rows.join('').includes('api-migration'));
	for (const key of keys) await screen.press(key);
	await screen.press('zzq');
	await screen.until(rows => rows.join('').includes('zzq'));
	expect(beforeCursor(screen, 3)).toBe('zzq');
	await screen.press('漢');
	await screen.until(rows => rows.join('').includes('zzq漢'));
	expect(beforeCursor(screen, 5)).toBe('zzq漢');
	if (keys !== ' \x12') return;
	await screen.press(leave);
	await screen.until(rows => !rows.join('').includes('Sent messages'));
	expect(beforeCursor(screen, 2)).toBe('> ');
});

test.each([120, 80])('a hint that is too long for one row of a form wraps: %i columns', async columns => {
	const {screen} = opened(columns, 40, {host: 'acme.example'});
	await screen.press(leave, 'N', '\t');
	const rows = await screen.until(lines => lines.join('').includes('of 63'));
	const shown = rows.join(' ').replaceAll(/[ │]+/g, ' ');
	expect(shown).toContain('the user on it that runs the sessions; 1 to 63 characters · 2 of 63');
	await screen.press('\x1b[F', '😀');
	await screen.until(lines => lines.join('').includes('3 of 63'));
});

test("the terminal's own cursor stands in a filter that is being typed, too", async () => {
	const {screen, parts} = opened();
	parts.view.setState({focus: 'lists'});
	await screen.press('/', 'api');
	await screen.until(rows => rows.at(-1)?.includes('/ api') === true);
	expect(beforeCursor(screen, 5)).toBe('/ api');
});

test.each<[string, readonly string[], string]>([
	['start and end of the line', ['beta', '\x01', 'alpha ', '\x05', '!'], 'alpha beta!|'],
	['word by word', ['alpha beta gamma', '\x1bb', '\x1bb', '-', '\x1bf', '+'], 'alpha -beta+| gamma'],
	['a word is deleted and put back', ['alpha beta', '\x17', '\x01', '\x19'], 'beta|alpha '],
	['from the cursor to either end', ['alpha beta', '\x1bb', '\x0b', '\x15', '\x19'], 'alpha |'],
	['what was deleted can be undone', ['alpha', '\x15', '\x1f'], 'alpha|'],
	['characters under and before the cursor', ['abc', '\x1b[D', '\x04', '\x7f'], 'a|'],
	['graphemes stay whole', ['a👩‍👩‍👧b', '\x1b[D', '\x7f'], 'a|b'],
])('a form field is edited like the composer: %s', async (_, keys, expected) => {
	const {screen, parts} = opened(80, 24);
	openForm(parts, addForm('session'));
	await screen.until(rows => rows.join('').includes('Add by id'));
	for (const key of keys) await screen.press(key);
	const value = expected.replace('|', '');
	await screen.until(() => parts.forms.getState().form?.values.id === value);
	const before = expected.slice(0, expected.indexOf('|'));
	expect(beforeCursor(screen, before.length)).toBe(before);
});

test('several ids are added at once; of one that the service lacks, the form says which', async () => {
	const {screen, parts} = opened(100, 24);
	const list = async (id: string) => {
		if (id === 's-7') throw new NotFoundError('There is none.', {hint: ''});
	};
	Object.assign(parts.actions, {service: {messages: {list}}});
	openForm(parts, addForm('session'));
	await screen.until(rows => rows.join('').includes('Add by id'));
	await screen.press('s-8, s-9 s-7', '\r');
	await screen.until(rows => rows.join('').includes('s-7: '));
	expect(parts.calls.filter(call => call.startsWith('addSession'))).toEqual([
		'addSession s-8 added',
		'addSession s-9 added',
	]);
	await screen.press('\x15', 's-8, s-9', '\r');
	await screen.until(rows => rows.join('').includes('2 sessions added'));
});

test('a value longer than its field is shown around the cursor', async () => {
	const {screen, parts} = opened(60, 24);
	openForm(parts, addForm('session'));
	await screen.until(rows => rows.join('').includes('Add by id'));
	const long = Array.from({length: 30}, (_, index) => `part${index} `).join('');
	await screen.press(long);
	await screen.until(rows => rows.join('').includes('part29'));
	expect(beforeCursor(screen, 7)).toBe('part29 ');
	await screen.until(rows => / Id +…\S* part/.test(rows.join('\n')));
	await screen.press('\x01');
	await screen.until(rows => rows.join('').includes('part0 part1'));
	expect(beforeCursor(screen, 1)).toBe(' ');
	expect(screen.cells()[screen.cursor().y]?.slice(screen.cursor().x).join('')).toMatch(/^part0 part1.*…/);
});

test.each([
	['palette', '\x10'],
	['search', 'F'],
])('%s: words that are too long for their line are marked where they are cut', async (_, keys) => {
	const {screen} = opened(60, 24);
	await screen.until(rows => rows.join('').includes('api-migration'));
	await screen.press(keys, 'x'.repeat(80), 'up', 'end');
	await screen.until(rows => /> …x+upend/.test(rows.join('\n')));
	expect(beforeCursor(screen, 3)).toBe('end');
});
