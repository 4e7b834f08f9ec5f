import {expect, test} from 'vitest';
import {focusedField} from '../../src/ui/dialogs/form/form-state.ts';
import {openSession} from '../../src/ui/open-session.ts';
import {expectStraightBorders} from '../support/borders.ts';
import {knownSession} from '../support/fleet.ts';
import {openScreen} from '../support/screen.tsx';
import {workParts} from '../support/work-sample.ts';

type Cell = {readonly x: number; readonly y: number};

/** The work sample with a pointer in the user's hand. */
function work(columns = 120, rows = 40, opens = true, profile: {readonly host?: string} = {}) {
	const {clock, parts} = workParts({profile});
	if (opens) openSession(parts, 's-api', 'main');
	const opened = openScreen(parts, columns, rows);
	/** The first cell of a text on screen. */
	const find = async (text: string, from = 0): Promise<Cell> => {
		const seen = await opened.until(lines => lines.some(line => line.includes(text, from)));
		const y = seen.findIndex(line => line.includes(text, from));
		const cells = opened.cells()[y] ?? [];
		const x = cells.findIndex((_, at) => at >= from && cells.slice(at).join('').startsWith(text));
		return {x, y};
	};
	const click = async (at: Cell, times = 1) => {
		// Not the second of the click before.
		await clock.advance(1000);
		for (let time = 0; time < times; time++) {
			parts.mouse.report({button: 0, ...at, isRelease: false});
			parts.mouse.report({button: 0, ...at, isRelease: true});
		}
		await opened.rows();
	};
	const wheel = async (at: Cell, notches: number) => {
		for (let notch = 0; notch < Math.abs(notches); notch++)
			parts.mouse.report({button: notches > 0 ? 65 : 64, ...at, isRelease: false});
		await opened.rows();
	};
	const view = () => parts.view.getState();
	return {parts, clock, screen: opened, find, click, wheel, view};
}

test('a click selects a row and gives its pane the focus; a double click opens it', async () => {
	const {find, click, view} = work();
	await click(await find('docs-sync'));
	expect(view()).toMatchObject({focus: 'lists', cursor: {section: 'sessions'}, shown: {id: 's-api'}});
	const {cursor} = view();
	await click(await find('docs-sync'), 2);
	expect(view()).toMatchObject({focus: 'main', shown: {kind: 'session', id: cursor?.id}});
	await click(await find('gpu-1'));
	expect(view()).toMatchObject({focus: 'lists', cursor: {section: 'computers', id: 'gpu-1'}});
	await click(await find('Needs you'));
	expect(view().cursor?.section).toBe('needs');
});

test('a click selects a message, a double click expands it; a click in the composer moves the cursor', async () => {
	const {find, click, view, screen} = work();
	await click(await find('bump the schema to v7'));
	expect(view()).toMatchObject({focus: 'main', scrollStates: expect.anything()});
	const selected = view().scrollStates.get('s-api');
	expect(selected?.isFollowing === false && selected.selected).toBeTruthy();
	await click(await find('bump the schema to v7'), 2);
	expect(view().expanded.others.size).toBe(1);
	await click(await find('Message'));
	await screen.press('hello world');
	await screen.until(lines => lines.join('').includes('hello world'));
	await click(await find('world'));
	await screen.press('X');
	await screen.until(lines => lines.join('').includes('hello Xworld'));
});

test('the wheel scrolls what is under the pointer, whatever has the focus', async () => {
	const {parts, find, wheel, view, screen} = work(100, 24);
	const {sessions} = parts.stores.fleet.getState();
	const more = Array.from({length: 60}, (_, index) =>
		knownSession(`s-many-${String(index).padStart(2, '0')}`),
	);
	parts.stores.fleet.setState({sessions: new Map([...sessions, ...more.map(one => [one.id, one] as const)])});
	const list = await find('Sessions');
	const rows = async () => (await screen.rows()).map(row => row.slice(0, list.x + 20)).join('\n');
	const before = await rows();
	const at = {x: list.x + 2, y: list.y + 2};
	await wheel(at, 3);
	await screen.until(lines => lines.map(row => row.slice(0, list.x + 20)).join('\n') !== before);
	expect(view()).toMatchObject({focus: 'main'});
	await wheel(at, -9);
	await screen.until(lines => lines.map(row => row.slice(0, list.x + 20)).join('\n') === before);
	// The cursor's row is back in sight at the next key.
	await wheel(at, 9);
	await screen.press('\t', '\t');
	expect(view().focus).toBe('lists');
});

test('a click on a hint in the footer acts as its key, and a dialog keeps clicks from the panes', async () => {
	const {find, click, view, screen} = work();
	await click(await find('? keys'));
	expect(view().dialogs.at(-1)?.kind).toBe('help');
	await screen.until(lines => lines.join('').includes('type to search'));
	await click({x: 1, y: 5});
	expect(view()).toMatchObject({focus: 'main', dialogs: [{kind: 'help'}]});
	// The title says it too: the last row is the footer.
	await find('Esc close');
	await click({x: 2, y: 39});
	expect(view().dialogs).toEqual([]);
	await click(await find('quarterdeck'));
	expect(view().dialogs.at(-1)?.kind).toBe('palette');
	await screen.press('docs');
	const {x, y} = await find('▌ docs-sync');
	await click({x: x + 3, y});
	expect(view()).toMatchObject({dialogs: [], focus: 'main', shown: {kind: 'session'}});
	await click(await find('need you'));
	expect(view().cursor?.section).toBe('needs');
});

test('a click answers a question, too', async () => {
	const {find, click, view, screen, parts} = work();
	await click(await find('docs-sync'));
	const id = view().cursor?.id ?? '';
	await screen.press('D');
	await click(await find('n no'));
	expect(view().dialogs).toEqual([]);
	expect(parts.calls.some(call => call.startsWith('forgetSession'))).toBe(false);
	await screen.press('D');
	await click(await find('y or Enter yes'));
	expect(parts.calls).toContain(`forgetSession ${id}`);
});

test('a press focuses a form field, and another press on a choice selects its next value', async () => {
	const {find, click, parts, screen} = work(120, 40, true, {host: 'acme.example'});
	await click(await find('gpu-1'));
	await screen.press('N');
	await click(await find('Remote user'));
	const form = () => parts.forms.getState().form;
	const focused = () => {
		const open = form();
		return open && focusedField(open)?.name;
	};
	expect(focused()).toBe('remoteUser');
	const provider = await find('Provider');
	await click(provider);
	expect(focused()).toBe('provider');
	const before = form()?.values.provider;
	await click(provider);
	expect(form()?.values.provider).not.toBe(before);
	await click({x: 2, y: 2});
	expect(parts.view.getState().dialogs).toHaveLength(1);
});

test('the divider moves by dragging and by keys, and never hides a side', async () => {
	const {parts, find, view, screen} = work();
	const main = await find('┬─ api-m');
	const drag = async (from: number, ...to: readonly number[]) => {
		parts.mouse.report({button: 0, x: from, y: 5, isRelease: false});
		for (const x of to) parts.mouse.report({button: 32, x, y: 9, isRelease: false});
		parts.mouse.report({button: 0, x: to.at(-1) ?? from, y: 9, isRelease: true});
		await screen.rows();
		expectStraightBorders(screen.cells());
		return (await find('┬─ api-m')).x;
	};
	expect(await drag(main.x, main.x + 1, main.x + 10)).toBe(main.x + 10);
	expect(await drag(main.x + 10, main.x)).toBe(main.x);
	expect(await drag(main.x, 0)).toBe(23);
	expect(await drag(23, 119)).toBe(79);
	await screen.press('{');
	expect((await find('┬─ api-m')).x).toBe(77);
	await screen.press('}', '}', '}');
	expect((await find('┬─ api-m')).x).toBe(79);
	// A release elsewhere ended the drag.
	parts.mouse.report({button: 32, x: 50, y: 9, isRelease: false});
	await screen.rows();
	expect((await find('┬─ api-m')).x).toBe(79);
	expect(view().shares.work).toBeCloseTo(80 / 120);
});

test('a key turns the mouse off and on, and says how text is selected', async () => {
	const {parts, screen} = work();
	await screen.press('M');
	await screen.until(lines =>
		lines.join('').includes('for this run: dragging selects text; "mouse": false keeps it'),
	);
	expect(parts.mouse.isOn()).toBe(false);
	await screen.press('M');
	await screen.until(lines => lines.join('').includes('hold Shift'));
	expect(parts.mouse.isOn()).toBe(true);
});

test('a key, a paste and a click show that the terminal has the focus, the wheel does not', async () => {
	const {parts, screen, find, click, wheel} = work();
	const shown: boolean[] = [];
	Object.assign(parts.away, {active: (isFocused: boolean) => shown.push(isFocused)});
	const at = await find('fix-login');
	await wheel(at, 1);
	expect(shown).toEqual([false]);
	await click(at);
	await screen.press('j', '\x1b[200~x\x1b[201~');
	expect(shown.slice(1)).toEqual([true, false, true, true]);
});
