import {expect, test} from 'vitest';
import {day, entries, many, noon, streaming} from '../support/streaming.ts';

test('matches are found while typing, counted, reached by n and N around the ends, and cleared by Esc', async () => {
	const {screen} = streaming(100, 30, many);
	await screen.press('/', 'needle');
	await screen.until(lines => /needle +message 6 of 6/.test(lines.join('')));
	await screen.press('\x1b[A', '\x1b[A');
	await screen.until(lines => lines.join('').includes('4 of 6'));
	await screen.press('\x1b[B', '\x1b[B');
	await screen.until(lines => lines.join('').includes('6 of 6'));
	await screen.press('\r', 'N', 'N');
	const rows = await screen.until(lines => lines.join('').includes('4 of 6'));
	expect(rows.join('')).toMatch(/▌.*needle 33/);
	await screen.press('n', 'n', 'n');
	await screen.until(lines => lines.join('').includes('1 of 6') && lines.join('').includes('needle 3'));
	await screen.press('\x1b');
	await screen.until(lines => !lines.join('').includes('of 6'));
});

test("words that aren't found are reported, and the text doesn't move", async () => {
	const {screen} = streaming(100, 30, many);
	const before = await screen.until(lines => lines.join('').includes('hay 59'));
	await screen.press('/', 'zzz');
	const after = await screen.until(lines => lines.join('').includes('not found'));
	expect(after.slice(2, 20)).toEqual(before.slice(2, 20));
	expect(after.join('')).toContain('zzz   not found · words match from their beginning');
});

test('what was never read is read, and until then nothing is called missing', async () => {
	const {screen, parts, show, clock} = streaming(100, 30, many, {hasUnread: true});
	await screen.press('/', 'zzz');
	await screen.until(lines => lines.join('').includes('zzz   not in the messages read so far'));
	expect(parts.calls).toContain('readRest s');
	show(entries([...many, {text: 'zzz'}]), {});
	await clock.advance(100);
	await screen.until(lines => lines.join('').includes('1 found'));
});

test('matches in messages that arrive are counted and reachable, and nothing moves', async () => {
	const {screen, show, clock} = streaming(100, 30, many);
	await screen.press('/', 'needle', '\r', 'N');
	const before = await screen.until(lines => lines.join('').includes('5 of 6'));
	const more = Array.from({length: 30}, (_, index) => ({
		id: `n${index}`,
		text: `needle and needle ${index}`,
	}));
	const older = [{id: 'o', text: 'an old needle', createdAt: noon - day}];
	const known = many.map((one, index) => ({...one, id: `m${index}`}));
	show(entries([...older, ...known, ...more]));
	await clock.advance(100);
	const after = await screen.until(lines => lines.join('').includes('6 of 37'));
	expect(after.slice(1, 20)).toEqual(before.slice(1, 20));
	await screen.press('n', 'n');
	await screen.until(lines => lines.join('').includes('message 8 of 37 · match 1 of 2'));
	await screen.press('n');
	await screen.until(lines => lines.join('').includes('message 8 of 37 · match 2 of 2'));
	await screen.press('n', 'N');
	await screen.until(lines => lines.join('').includes('message 8 of 37 · match 2 of 2'));
});

test.each([
	['a message', (text: string) => ({text, role: 'user'}) as const],
	['an output', (content: string) => ({content: [{type: 'tool_result', content}]})],
])(
	'says that words are in rows which %s hides even when expanded, and names the key that opens it',
	async (_, messageOf) => {
		const rows = Array.from({length: 2500}, (_, index) => `row ${index + 1}`);
		const {screen} = streaming(140, 20, [messageOf(rows.join('\n')), {text: 'thanks'}]);
		const untilSaid = (said: string) => screen.until(lines => lines.join('').includes(said));
		await screen.press('/', '2200');
		await untilSaid('message 1 of 1 · not in the rows shown ─');
		await screen.press('\r');
		await untilSaid('message 1 of 1 · not in the rows shown: o opens all of it · n N · Esc');
		await screen.press('G');
		await untilSaid('message 1 of 1 · not in the rows shown · n N · Esc');
		await screen.press('n');
		await untilSaid('not in the rows shown: o opens');
		await screen.press('/', '1200', '\r');
		const shown = await untilSaid('message 1 of 1 · n N · Esc');
		expect(shown.join('\n')).toContain('row 1200');
	},
);

test("words that aren't there yet are kept, and found when they arrive", async () => {
	const {screen, show, clock} = streaming(100, 30, many);
	await screen.press('/', 'later', '\r');
	await screen.until(lines => lines.join('').includes('not found yet · Esc'));
	const known = many.map((one, index) => ({...one, id: `m${index}`}));
	let version = 1;
	const says = (text: string) =>
		show(
			entries([...known, {id: 'new', text}]).map(entry => (entry.id === 'new' ? {...entry, version} : entry)),
		);
	says('it comes later');
	await clock.advance(100);
	const rows = await screen.until(lines => lines.join('').includes('1 found'));
	expect(rows.join('')).toContain('it comes later');
	await screen.press('n');
	await screen.until(lines => lines.join('').includes('1 of 1 ·'));
	// It goes on to say it: the message counts once, its places each.
	version++;
	says('it comes later, and later');
	await clock.advance(100);
	await screen.until(lines => lines.join('').includes('message 1 of 1 · match 1 of 2'));
});

test("a message that isn't loaded is requested, and has the cursor once it is there", async () => {
	const {screen, parts, show, kept} = streaming(100, 30, many);
	const far = {id: 'far', text: 'the old one', createdAt: noon - 1};
	kept.put('s', [{message: {id: far.id, createdAt: far.createdAt, content: [{text: far.text}]}}]);
	await screen.press('/', 'old');
	await screen.until(() => parts.calls.includes('showMessage s far'));
	show(entries([...many.slice(0, 20), far, ...many.slice(20, 40)]), {
		hasNewer: true,
	});
	const rows = await screen.until(lines => lines.join('').includes('the old one'));
	expect(rows.join('')).toMatch(/▌.*the old one/);
	await screen.press('\x1b', 'G');
	await screen.until(() => parts.calls.includes('showNewest s'));
});

test('a message that is loaded late is shown where the words stand together', async () => {
	const {screen, parts, show, kept} = streaming(100, 30, many);
	const text = Array.from({length: 60}, (_, index) => `- row ${index + 1} old`).join('\n');
	kept.put('s', [{message: {id: 'far', createdAt: noon - 1, content: [{text}]}}]);
	await screen.press('/', 'old row 45');
	await screen.until(() => parts.calls.includes('showMessage s far'));
	show(entries([...many.slice(0, 20), {id: 'far', text, createdAt: noon - 1}]), {hasNewer: true});
	await screen.until(lines => /match \d+ of 121/.test(lines.join('')) && /row 45 old/.test(lines.join('')));
});

test('a message that was found is shown even if it is hidden or collapsed', async () => {
	const collapsed = {type: 'tool_result', content: `first\n${'more\n'.repeat(30)}deep needle`};
	const {screen} = streaming(100, 30, [
		{text: 'secret needle', isUserVisible: false},
		{content: [{text: 'see'}, collapsed]},
	]);
	await screen.press('/', 'needle', '\r');
	await screen.until(lines => /2 of 2/.test(lines.join('')) && lines.join('').includes('deep needle'));
	await screen.press('n');
	await screen.until(lines => lines.join('').includes('secret needle'));
});

test('searching all sessions leads to the message', async () => {
	const {screen, clock} = streaming(120, 40, many);
	await screen.press('F', 'needle');
	await clock.advance(100);
	await screen.until(lines => lines.join('').includes('6 found'));
	await screen.press('\x1b[B', '\r');
	const rows = await screen.until(lines => lines.join('').includes('5 of 6'));
	expect(rows.join('')).toMatch(/▌.*needle 43/);
});
