import {expect, test} from 'vitest';
import {NotFoundError} from '../../src/api/errors.ts';
import {addForm} from '../../src/ui/dialogs/form/add-form.ts';
import {openForm} from '../../src/ui/dialogs/form/open-form.ts';
import {openSession} from '../../src/ui/open-session.ts';
import {openScreen, type Screen} from '../support/screen.tsx';
import {workParts} from '../support/work-sample.ts';

function opened(columns = 120, rows = 40, profile: {readonly host?: string} = {}) {
	const {parts} = workParts({profile});
	openSession(parts, 's-api', 'main');
	const screen = openScreen(parts, columns, rows);
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

test.each<[string, readonly string[], string]>([
	['start and end of the line', ['beta', '\x01', 'alpha ', '\x05', '!'], 'alpha beta!|'],
	['a word is deleted and put back', ['alpha beta', '\x17', '\x01', '\x19'], 'beta|alpha '],
	['what was deleted can be undone', ['alpha', '\x15', '\x1f'], 'alpha|'],
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
