import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Database} from '../../../src/db/database.ts';
import {openDatabase} from '../../../src/db/open-database.ts';
import {editorText} from '../../../src/text/editor/editor.ts';
import {edit} from '../../../src/ui/composer/composer-edit.ts';
import {
	afterSending,
	createComposerStore,
	draftOf,
	sendComposer,
	setComposer,
} from '../../../src/ui/composer/composers.ts';
import {createDraftSaver} from '../../../src/ui/composer/draft-saver.ts';
import {prepareComposer} from '../../../src/ui/open-session.ts';
import {askToQuit} from '../../../src/ui/quit.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';

let file: string;
const opened: Database[] = [];

beforeEach(() => {
	file = join(mkdtempSync(join(tmpdir(), 'drafts-')), 'kept.db');
});
afterEach(() => {
	for (const database of opened.splice(0)) database.close();
	rmSync(join(file, '..'), {recursive: true});
});

/** One program with session `s` open in its composer. */
function program() {
	const clock = fakeClock();
	const database = openDatabase({file});
	opened.push(database);
	const plain = appParts(clock);
	const actions = {...plain.actions, drafts: database.drafts, history: database.history};
	const composers = createComposerStore();
	const parts = {...plain, actions, composers, drafts: createDraftSaver(actions, composers)};
	database.onChange(parts.drafts.rewrite);
	plain.view.setState({shown: {kind: 'session', id: 's'}, focus: 'composer'});
	prepareComposer(parts, 's');
	const composer = () => {
		const found = composers.getState().bySession.get('s');
		if (!found) throw new Error('no composer');
		return found;
	};
	return {
		parts,
		database,
		clock,
		composer,
		text: () => editorText(composer().editor),
		type: (text: string) => edit(parts, 's', {type: 'insert', text}),
		empty: () => edit(parts, 's', {type: 'set', text: ''}),
		send: () => sendComposer(parts),
		/** 150 ms after the last key. */
		save: () => clock.advance(150),
		reported: () => plain.stores.notices.getState().list.map(({text}) => text),
		calls: plain.calls,
	};
}

type Program = ReturnType<typeof program>;

/** All that can be brought back in a program that starts now. */
function texts(): string[] {
	const {text, database} = program();
	return [text(), ...database.history.ofSession('s')].filter(Boolean);
}

async function saveBoth(...programs: Program[]): Promise<void> {
	for (const one of programs) await one.save();
}

test("what one program saved appears in the other's composer, when it is opened and while it is open", async () => {
	const a = program();
	a.type('hello');
	await a.save();
	const b = program();
	expect(b.text()).toBe('hello');
	a.type(' world');
	await a.save();
	b.parts.drafts.refresh();
	expect(b.text()).toBe('hello world');
	b.type('!');
	await b.save();
	prepareComposer(a.parts, 's');
	expect(a.text()).toBe('hello world!');
	expect([...a.reported(), ...b.reported()]).toEqual([]);
	expect(texts()).toEqual(['hello world!']);
});

test('knows which sessions have a draft: stored, typed here or in another program', async () => {
	const a = program();
	const drafted = (one: Program) => [...one.parts.composers.getState().drafted];
	expect(drafted(a)).toEqual([]);
	a.type('hello');
	const first = a.parts.composers.getState().drafted;
	expect([...first]).toEqual(['s']);
	a.type(' world');
	expect(a.parts.composers.getState().drafted).toBe(first);
	await a.save();
	const b = program();
	expect(drafted(b)).toEqual(['s']);
	b.database.drafts.put('other', {text: 'words', images: [], files: [], updatedAt: 0});
	a.parts.drafts.refresh();
	expect(drafted(a).toSorted()).toEqual(['other', 's']);
	b.database.drafts.remove('other', b.database.drafts.get('other')?.revision);
	a.send();
	expect(drafted(a)).toEqual(['other']);
	a.parts.drafts.refresh();
	b.parts.drafts.refresh();
	expect([drafted(a), drafted(b)]).toEqual([[], []]);
});

test('when both programs write, the last save counts, and the other text is in the history of both', async () => {
	const [a, b] = [program(), program()];
	const earlier = ({composer}: Program) => composer().editor.history;
	a.type('from a');
	await a.save();
	b.type('from b');
	await b.save();
	expect(b.text()).toBe('from b');
	expect(b.reported()).toEqual([expect.stringMatching(/Another program also wrote a draft here/)]);
	a.parts.drafts.refresh();
	expect(a.text()).toBe('from b');
	expect([earlier(a), earlier(b)]).toEqual([['from a'], ['from a']]);
	expect(texts()).toEqual(['from b', 'from a']);
});

test('a text typed since the last save stays in view, whatever another program saves', async () => {
	const [a, b] = [program(), program()];
	a.type('from a');
	b.type('from b');
	await b.save();
	a.parts.drafts.refresh();
	expect(a.text()).toBe('from a');
	await a.save();
	expect(texts()).toEqual(['from a', 'from b']);
});

test('a text shown here that the other program clears or sends is neither lost nor sent twice', async () => {
	const [a, b] = [program(), program()];
	a.type('precious');
	await a.save();
	prepareComposer(b.parts, 's');
	b.empty();
	await b.save();
	a.parts.drafts.refresh();
	expect(a.text()).toBe('');
	expect(a.composer().editor.history).toEqual(['precious']);
	a.type('precious');
	await a.save();
	prepareComposer(b.parts, 's');
	a.send();
	expect(b.text()).toBe('precious');
	b.send();
	expect([...a.calls, ...b.calls].filter(call => call.startsWith('enqueue'))).toHaveLength(1);
	expect(b.text()).toBe('');
	expect(b.reported()).toContainEqual(expect.stringContaining('nothing was sent'));
	expect(texts()).toEqual(['precious']);
});

test('rewrites a draft that waits for its session, too, after the file lost it', async () => {
	const {parts, type, save, composer, database} = program();
	type('new work');
	await save();
	const sending = [draftOf(composer())];
	setComposer(parts.composers, 's', {...afterSending(composer(), 'new work'), sending});
	database.drafts.remove('s', database.drafts.get('s')?.revision);
	parts.drafts.rewrite();
	await save();
	expect(database.drafts.get('s')?.text).toBe('new work');
});

test('sending here keeps what was written there in the meantime', async () => {
	const [a, b] = [program(), program()];
	a.type('one');
	await a.save();
	prepareComposer(b.parts, 's');
	b.type(' and two');
	a.type(' more');
	await saveBoth(b, a);
	a.send();
	expect(texts().toSorted()).toEqual(['one and two', 'one more']);
});

test('a draft of another program that sending replaces is among the earlier messages at once', async () => {
	const [a, b] = [program(), program()];
	b.type('from b');
	await b.save();
	a.type('from a');
	a.send();
	expect(a.composer().editor.history).toEqual(['from b', 'from a']);
});

test.each([
	['quits first', false],
	['quits last', true],
])(
	'a program that %s asks nothing, and loses nothing that two programs typed to a session',
	async (_, isLast) => {
		const [a, b] = [program(), program()];
		a.type('from a');
		await a.save();
		b.type('from b');
		await b.save();
		if (isLast) await askToQuit(b.parts);
		await askToQuit(a.parts);
		if (!isLast) await askToQuit(b.parts);
		expect([a.calls, b.calls]).toEqual([['quit'], ['quit']]);
		expect(texts().toSorted()).toEqual(['from a', 'from b']);
	},
);

test.each([
	['removed', () => rmSync(file)],
	['overwritten', () => writeFileSync(file, 'x'.repeat(200_000))],
])('writes all text in memory to the new file at once after the file was %s', async (_, harm) => {
	const a = program();
	a.type('first');
	prepareComposer(a.parts, 't');
	edit(a.parts, 't', {type: 'insert', text: 'second'});
	await a.save();
	harm();
	a.type(', on');
	await a.save();
	const {drafts} = openDatabase({file});
	expect([drafts.get('s')?.text, drafts.get('t')?.text]).toEqual(['first, on', 'second']);
});

test("the first save after the loss of the file isn't mistaken for another program's", async () => {
	const a = program();
	a.type('one');
	await a.save();
	rmSync(file);
	for (const more of [' two', ' three']) {
		a.type(more);
		await a.save();
	}
	expect(a.reported()).toEqual([]);
	expect(texts()).toEqual(['one two three']);
});

test("reports once what couldn't be written, and retries until it is on disk", async () => {
	const a = program();
	const holder = new DatabaseSync(file);
	holder.exec('BEGIN IMMEDIATE');
	a.type('held up');
	await a.save();
	await a.clock.advance(2000);
	expect(a.reported()).toEqual([expect.stringContaining('The draft could not be saved')]);
	holder.exec('ROLLBACK');
	holder.close();
	await a.clock.advance(2000);
	expect(texts()).toEqual(['held up']);
	expect(a.clock.pending).toBe(0);
});
