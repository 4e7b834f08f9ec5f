import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {createPromptFinder} from '../../src/actions/saved-prompts.ts';
import type {OutboxItem} from '../../src/domain/messages/delivery.ts';
import {editorText} from '../../src/text/editor/editor.ts';
import {edit} from '../../src/ui/composer/composer-edit.ts';
import {openSession} from '../../src/ui/open-session.ts';
import type {AppParts} from '../../src/ui/use-app.ts';
import {appParts} from '../support/app-parts.ts';
import {expectStraightBorders} from '../support/borders.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {has, openScreen, type Screen} from '../support/screen.tsx';
import {tinyPng} from '../support/tiny-files.ts';
import {fillWithWork} from '../support/work-sample.ts';

let screen: Screen | undefined;
afterEach(() => {
	screen?.close();
	vi.unstubAllEnvs();
});

const sizes = [
	[40, 20],
	[120, 40],
] as const;

async function composing(columns: number, rows: number, prepare: (parts: AppParts) => void = () => {}) {
	const clock = fakeClock();
	const folder = temporaryFolder();
	mkdirSync(join(folder, 'src'));
	writeFileSync(join(folder, 'src', 'schema.ts'), 'export {};\n');
	writeFileSync(join(folder, 'schema 界.png'), tinyPng);
	writeFileSync(join(folder, 'tool.bin'), Buffer.from([0, 1, 2]));
	const parts = appParts(clock, {completion: {folderOf: () => folder}});
	fillWithWork(parts.stores, clock.now());
	prepare(parts);
	openSession(parts, 's-api', 'composer');
	screen = openScreen(parts, columns, rows);
	await screen.until(has('> '));
	return {screen, parts, clock, folder};
}

const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;
const written = (parts: AppParts) => {
	const composer = parts.composers.getState().bySession.get('s-api');
	return composer && editorText(composer.editor);
};

describe.each(sizes)('%i x %i', (columns, rows) => {
	test('a file is found by a few letters, attached, listed and removed', async () => {
		const {screen, parts, clock} = await composing(columns, rows);
		await screen.press('see @sch');
		await screen.until(has('Files', 'schema.ts', 'schema 界.png', 'Enter attach'));
		expectStraightBorders(screen.cells());
		await screen.press('\x1b[B', '\x1b[A', '\r');
		await screen.until(has(/\[(▣|≡) .*schema/, '1 attached'));
		expectStraightBorders(screen.cells());
		expect(written(parts)).toMatch(/^see .*schema.* $/);
		await clock.advance(250);
		const kept = parts.kept.get('s-api');
		expect([...(kept?.images ?? []), ...(kept?.files ?? [])]).toHaveLength(1);
		expect(parts.calls.filter(call => call.startsWith('enqueue'))).toEqual([]);
		await screen.press('\x18');
		await screen.until(has('Attachments', 'x remove'));
		expectStraightBorders(screen.cells());
		await screen.press('x');
		await screen.until(now => !has('1 attached')(now) && has('is no longer')(now));
	});

	test('sent messages can be searched and taken back into the text', async () => {
		const {screen, parts} = await composing(columns, rows, ({actions}) => {
			for (const text of ['run the tests', 'bump\nthe schema', 'again: run all tests 界'])
				actions.history.add('s-api', text);
			actions.history.add('s-login', 'run it elsewhere');
		});
		await screen.press('half', '\x12', 'run');
		await screen.until(has('Sent messages', '1 of 3', 'run the tests', '~ run it elsewhere'));
		expectStraightBorders(screen.cells());
		await screen.press('\x12', '\r');
		await screen.until(has('> run the tests'));
		await screen.press('\x1f');
		await screen.until(has('> half'));
		expect(written(parts)).toBe('half');
	});

	test('the cursor is where the next character goes, in wrapped rows of wide characters too', async () => {
		const {screen, parts} = await composing(columns, rows);
		await screen.press('a界'.repeat(columns * 4));
		await screen.until(has('more rows'));
		for (const key of ['\x1b[D', '\x1b[A', '\x1b[H', '\x1b[C', '\x1b[C', '\x1b[F']) {
			await screen.press(key);
			const editor = parts.composers.getState().bySession.get('s-api')?.editor;
			const {x, y} = screen.cursor();
			const cell = screen.cells()[y]?.[x];
			const next = editor?.text.slice(editor.cursor, editor.cursor + 1) ?? '';
			// At the end of a row the next character stands on the next one, and here is the free column.
			if (cell !== ' ' && cell !== '') expect(cell).toBe(next);
		}
		expectStraightBorders(screen.cells());
	});
});

test('lines pasted without marks are one paste, also in several reads; a later Enter sends', async () => {
	const {screen, parts, clock} = await composing(80, 24);
	await screen.press('one\rtwo\rth', 'ree\r');
	await screen.until(has('three'));
	expect(written(parts)).toBe('one\ntwo\nthree\n');
	expect(parts.calls.filter(call => call.startsWith('enqueue'))).toEqual([]);
	await clock.advance(1000);
	await screen.press('\r');
	await screen.until(() => parts.calls.some(call => call.startsWith('enqueue s-api one\ntwo\nthree')));
});

test('for a hosted service, the list says whose files they are', async () => {
	const {screen} = await composing(80, 24, parts => Object.assign(parts.profile, {host: 'acme.example'}));
	await screen.press('see @sch');
	await screen.until(has('─ Files on this machine ─', 'schema.ts'));
});

test('a file is inserted as the agent or the shell reads it', async () => {
	const {screen, parts} = await composing(120, 40);
	await screen.press('@界.p');
	await screen.until(has('Files', 'schema 界.png'));
	await screen.press('\t');
	await screen.until(has('> "schema 界.png"'));
	const {sessions} = parts.stores.fleet.getState();
	const known = sessions.get('s-api');
	if (!known) throw new Error('The session is known.');
	const shell = {...known, session: {...known.session, sessionId: 's-api', agent: 'shell'}};
	parts.stores.fleet.setState({sessions: new Map([...sessions, ['s-api', shell]])});
	await screen.press('@界.p');
	await screen.until(has('Files', 'schema 界.png'));
	await screen.press('\t');
	await screen.until(has(`"schema 界.png" 'schema 界.png'`));
});

test('Tab inserts only the path, or enters a folder; Esc closes the list until the next @', async () => {
	const {screen, parts} = await composing(120, 40);
	await screen.press('@./s');
	await screen.until(has('Files', 'src/'));
	await screen.press('\t');
	await screen.until(has('> @./src/', 'schema.ts'));
	await screen.press('\t');
	await screen.until(has('> ./src/schema.ts'));
	expect(written(parts)).toBe('./src/schema.ts ');
	await screen.press('@sch');
	await screen.until(has('Files'));
	await screen.press('\x1b', 'e');
	await screen.until(now => !has('Files')(now) && has('@sche')(now));
	await screen.press(' @s');
	await screen.until(has('Files'));
	expect(parts.composers.getState().bySession.get('s-api')?.files).toEqual([]);
});

test('an @ that matches no file is text, and Enter sends it', async () => {
	const {screen, parts} = await composing(120, 40);
	await screen.press('ask @nobody-is-called-so');
	await screen.until(has('@nobody-is-called-so'));
	await screen.press('\r');
	await screen.until(() => parts.calls.includes('enqueue s-api ask @nobody-is-called-so'));
});

test("a file that can't be attached is reported, and the text stays", async () => {
	const {screen, parts} = await composing(120, 40);
	await screen.press('@tool');
	await screen.until(has('tool.bin'));
	await screen.press('\r');
	await screen.until(has("can't be attached"));
	expect(written(parts)).toBe('tool.bin ');
});

test("pasting the path of an image offers to attach it; pasting another path doesn't", async () => {
	const {screen, parts, folder} = await composing(120, 40);
	await screen.press(paste(join(folder, 'tool.bin')), '\x15', paste(`'${join(folder, 'schema 界.png')}'`));
	await screen.until(has('Attach this image?', 'png 70 B'));
	await screen.press('\r');
	await screen.until(has('1 attached, 70 B of 20 MB'));
	expect(parts.composers.getState().bySession.get('s-api')?.images[0]).toEqual({
		data: tinyPng.toString('base64'),
		name: 'schema 界.png',
	});
	expect(written(parts)).toContain('schema 界.png');
	await screen.press('\x15', '\x7f');
	await screen.until(has('no longer attached'));
});

test('an image keeps its name in the outbox, and still has it when taken back', async () => {
	const {parts} = await composing(120, 40);
	const sent: OutboxItem[] = [];
	const {outbox} = parts.actions.engine;
	const {enqueue} = outbox;
	outbox.enqueue = (id, draft) => {
		const item = {...enqueue(id, draft), images: draft.images ?? []};
		sent.push(item);
		parts.stores.outbox.setState({bySession: new Map([[id, [item]]])});
		return item;
	};
	outbox.discard = id => sent.find(item => item.id === id);
	await screen?.press('@界');
	await screen?.until(has('Files'));
	await screen?.press('\r');
	await screen?.until(has('1 attached'));
	await screen?.press('\r');
	await screen?.until(has('1 queued'));
	expect(sent[0]?.images).toEqual([{data: tinyPng.toString('base64'), name: 'schema 界.png'}]);
	await screen?.press('\x1b[1;3A');
	await screen?.until(has('[▣ schema 界.png png'));
});

const queued = (id: string, text: string): OutboxItem => ({
	id,
	sessionId: 's-api',
	text,
	images: [],
	files: [],
	state: 'queued',
	createdAt: 1,
	tries: 0,
});

test('waiting messages are shown, and the newest can be taken back before it is sent', async () => {
	const items = [queued('o-1', 'first wish'), queued('o-2', 'second wish')];
	const {screen, parts} = await composing(120, 40, ({stores}) => {
		stores.outbox.setState({bySession: new Map([['s-api', items]])});
	});
	parts.actions.engine.outbox.discard = id => {
		const {outbox} = parts.stores;
		outbox.setState({bySession: new Map([['s-api', items.filter(item => item.id !== id)]])});
		return items.find(item => item.id === id);
	};
	await screen.until(has('2 queued', 'first wish', /◌ queued[ │\n]+second wish/));
	await screen.press('more', '\x1b[1;3A');
	await screen.until(has('1 queued', '> second wish', 'more'));
	expect(written(parts)).toBe('second wish\nmore');
});

test('the name of a key, when typed, is plain text', async () => {
	const {screen, parts} = await composing(120, 40);
	for (const word of ['enter', 'up', 'escape', 'tab', 'left']) await screen.press(word);
	await screen.until(has('> enterupescapetableft'));
	expect(parts.calls.filter(call => call.startsWith('enqueue'))).toEqual([]);
});

test.each([
	['\x01X', 'Xone two'],
	['\x1bbX', 'one Xtwo'],
	['\x1bb\x1bbX\x1bfY', 'XoneY two'],
	['\x17X', 'one X'],
	['\x1bb\x0bX', 'one X'],
	['\x15\x19', 'one two'],
	['\x17\x1f', 'one two'],
	['\x17\x1f\x1b_', 'one '],
	['\x01\x1bdX', 'X two'],
	['\x14', 'one tow'],
	['\x1b[13;2uX', 'one two\nX'],
	['\nX', 'one two\nX'],
	['\x1b\rX', 'one two\nX'],
	['\x1b[1;5HX', 'Xone two'],
])('the keys %j edit the text', async (keys, text) => {
	const {screen, parts} = await composing(120, 40);
	await screen.press('one two');
	await screen.until(has('> one two'));
	await screen.press(...(keys.match(/\x1b\[[\d;]*[A-Za-z~]|\x1b[^[]|[\s\S]/g) ?? []));
	await screen.until(() => written(parts) === text);
});

test('a saved prompt is chosen after a slash, takes its arguments, and goes into the text unsent', async () => {
	const folder = temporaryFolder();
	writeFileSync(
		join(folder, 'review.md'),
		'---\ndescription: Review a folder\n---\nReview $ARGUMENTS\nwith care.',
	);
	writeFileSync(join(folder, 'status.md'), 'What is the status?');
	const {screen, parts} = await composing(120, 40, parts => {
		const find = createPromptFinder(() => parts.actions.clock.now());
		Object.assign(parts.completion, {
			promptsOf: (_: string, arrived: () => void) => [
				...(find({folders: [folder]}, arrived) ?? []),
				{name: 'compact', text: '/compact ', description: 'Free up context', isCommand: true},
			],
		});
	});
	await screen.press('/');
	await screen.until(has('Prompts and commands', 'review ', ' Review a folder', 'compact  Free up context'));
	expectStraightBorders(screen.cells());
	await screen.press('st', '\r');
	expect(written(parts)).toBe('What is the status?');
	await screen.press('\x15', '/rev', '\r');
	expect(written(parts)).toBe('/review ');
	await screen.press('src/api', '\r');
	expect(written(parts)).toBe('Review src/api\nwith care.');
	// A command of the agent takes its arguments in the message that is sent.
	edit(parts, 's-api', {type: 'set', text: ''});
	await screen.press('/com', '\r');
	expect(written(parts)).toBe('/compact ');
	await screen.press('the tests');
	expect((await screen.until(has('> /compact the tests'))).join('\n')).not.toContain('Prompts and commands');
	// Without a prompt of that name, a slash is text.
	for (const text of ['/nothing here', '/home/me']) {
		edit(parts, 's-api', {type: 'set', text: ''});
		await screen.press(text);
		const rows = await screen.until(has(`> ${text}`));
		expect(rows.join('\n')).not.toContain('Prompts and commands');
	}
	expect(parts.calls.filter(call => call.startsWith('enqueue'))).toEqual([]);
});

test('page keys scroll the messages above the composer; the text and the focus stay', async () => {
	const {screen, parts} = await composing(80, 24, ({stores, view}) => {
		const text = Array.from({length: 60}, (_, index) => `line ${index + 1}.`).join('\n\n');
		const message = {id: 'm', role: 'assistant', content: [{type: 'text', text}]} as const;
		const entries = [{kind: 'message', id: 'm', version: 1, message, role: 'assistant'}] as const;
		const stream = {sessionId: 's-api', entries, hasOlder: false, phase: {name: 'ready'}} as const;
		stores.streams.setState({open: new Map([['s-api', stream]])});
		view.setState({expanded: {all: true, others: new Set()}});
	});
	await screen.until(has('line 60.'));
	await screen.press('half a');
	const before = parts.composers.getState().bySession.get('s-api')?.editor.cursor;
	await screen.press('\x1b[5~', '\x1b[5~');
	// There, End moves the cursor.
	await screen.until(rows => has('> half a', '↓ PgDn ─')(rows) && !has('line 60.')(rows));
	await screen.press('\x1b[6~', '\x1b[6~');
	await screen.until(has('line 60.', '> half a'));
	expect(parts.view.getState().focus).toBe('composer');
	expect(written(parts)).toBe('half a');
	expect(parts.composers.getState().bySession.get('s-api')?.editor.cursor).toBe(before);
});

test.each(['lists', 'main'] as const)('with the focus on %s, Ctrl+G opens the editor', async focus => {
	const words = join(temporaryFolder(), 'words');
	writeFileSync(words, 'written there\n');
	vi.stubEnv('VISUAL', `cp '${words}'`);
	const {screen, parts} = await composing(120, 40);
	parts.view.setState({focus, cursor: {section: 'sessions', id: 's-api'}});
	await screen.press('\x07');
	await screen.until(has('> written there'));
	expect(parts.view.getState()).toMatchObject({focus: 'composer', shown: {id: 's-api'}});
});
