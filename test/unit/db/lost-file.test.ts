import {execFileSync, spawn} from 'node:child_process';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {Database} from '../../../src/db/database.ts';
import {openDatabase} from '../../../src/db/open-database.ts';
import type {DeliveryState, OutboxItem} from '../../../src/domain/messages/delivery.ts';

const module = new URL('../../../src/db/open-database.ts', import.meta.url).pathname;

let folder: string;
let file: string;
const opened: Database[] = [];

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'lost-'));
	file = join(folder, 'state', 'kept.db');
});
afterEach(() => {
	for (const database of opened.splice(0)) database.close();
	rmSync(folder, {recursive: true});
});

function newest({incidents}: Database): string | undefined {
	return incidents.all().at(-1)?.what;
}

function open(): Database {
	const database = openDatabase({file});
	opened.push(database);
	return database;
}

function draft(text: string) {
	return {text, images: [], files: [], updatedAt: 1};
}

function message(id: string, state: DeliveryState = 'queued'): OutboxItem {
	return {id, sessionId: 's', text: 'text', images: [], files: [], state, createdAt: 1, tries: 0};
}

function fill(database: Database): void {
	database.outbox.put(message('x'));
	database.drafts.put('s', draft('half a thought'));
	database.sessions.put({id: 's', origin: 'added', addedAt: 1});
}

function removeAll(): void {
	for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, {force: true});
}

/** What the next program finds. */
function found() {
	const database = open();
	return {
		problem: database.problem,
		drafts: database.drafts.get('s')?.text,
		outbox: database.outbox.all().map(({id, state}) => `${id} ${state}`),
		sessions: database.sessions.all().map(({id}) => id),
	};
}

const whole = {
	problem: undefined,
	drafts: 'half a thought and more',
	outbox: ['x queued'],
	sessions: ['s'],
};

describe('while a program runs', () => {
	test.each([
		['the file is removed', removeAll, 'was removed'],
		['the file alone is removed, its log stays', () => rmSync(file), 'was removed'],
		['its folder is removed', () => rmSync(join(folder, 'state'), {recursive: true}), 'was removed'],
		['an empty file replaces it', replaceWithEmpty, 'was replaced'],
	])('%s: the next save repairs it, says so and keeps everything typed', (_, harm, said) => {
		const database = open();
		fill(database);
		const reported: (string | undefined)[] = [];
		database.onChange(() => reported.push(newest(database)));
		harm();
		database.drafts.put('s', draft('half a thought and more'), database.drafts.get('s')?.revision);
		expect(reported).toEqual([expect.stringContaining(said)]);
		expect(found()).toEqual(whole);
		expect(open().incidents.all()).toEqual([{at: expect.any(Number), what: reported[0]}]);
	});

	test('notices a change without a save, when it looks for what other programs wrote', () => {
		const database = open();
		fill(database);
		removeAll();
		database.peerWriteCount();
		expect(newest(database)).toContain('was removed');
		expect(found()).toEqual({...whole, drafts: 'half a thought'});
	});

	test.each([
		['with its log', removeAll],
		['but its log stays', () => {}],
	])('another copy replaces it, %s: that is whole, and what was sent since is not sent again', (_, harm) => {
		const put = (database: Database, name: string) => {
			for (let at = 0; at < 100; at++)
				database.sessions.put({id: `${name} ${at}`, origin: 'added', addedAt: 1});
		};
		const first = open();
		fill(first);
		first.close();
		const copy = join(folder, 'copy.db');
		copyFileSync(file, copy);
		const other = openDatabase({file: copy});
		other.outbox.put(message('y'));
		put(other, 'other');
		other.close();
		const running = open();
		running.outbox.put(message('x', 'accepted'));
		put(running, 'running');
		harm();
		renameSync(copy, file);
		running.outbox.put(message('z'));
		expect(newest(running)).toContain('was replaced');
		const {outbox, sessions} = found();
		expect(outbox.sort()).toEqual(['x accepted', 'y queued', 'z queued']);
		expect(sessions).toHaveLength(201);
	});
});

describe('at the start', () => {
	test('a missing table counts as damage: it is made anew, once, and the rest is kept', () => {
		fill(open());
		const raw = new DatabaseSync(file);
		raw.exec('DROP TABLE messages; DROP TABLE drafts');
		raw.close();
		const database = open();
		expect(database.messages.count('s')).toBe(0);
		expect(database.messages.tail('s', 1)).toEqual([]);
		database.messages.put('s', [{message: {id: 'm'}}]);
		expect(database.drafts.get('s')).toBeUndefined();
		expect(database.outbox.all()).toHaveLength(1);
		expect(readdirSync(join(folder, 'state')).filter(name => /damaged-.*Z$/.test(name))).toHaveLength(1);
		expect(open().incidents.all()).toHaveLength(1);
	});

	test.each(['', '-wal', '-shm', '-journal'])(
		'reports a pipe or a folder in place of kept.db%s in one clear line',
		suffix => {
			for (const [make, kind] of [
				[() => execFileSync('mkfifo', [file + suffix]), 'a named pipe'],
				[() => mkdirSync(file + suffix), 'a folder'],
			] as const) {
				mkdirSync(join(folder, 'state'), {recursive: true});
				make();
				const database = open();
				expect(database.problem).toContain(`kept.db${suffix} is ${kind}, not a file. Move it away`);
				database.drafts.put('s', draft('in memory'));
				expect(database.drafts.get('s')?.text).toBe('in memory');
				database.close();
				opened.pop();
				rmSync(join(folder, 'state'), {recursive: true});
			}
		},
	);

	test('reports a file that another program has locked, without waiting for it', async () => {
		fill(open());
		opened.pop()?.close();
		const script = `
			const {DatabaseSync} = require('node:sqlite');
			const holder = new DatabaseSync(${JSON.stringify(file)});
			holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
			console.log('held');
			setInterval(() => {}, 1000);
		`;
		const holder = spawn(process.execPath, ['-e', script], {stdio: ['ignore', 'pipe', 'inherit']});
		await new Promise(resolve => holder.stdout.once('data', resolve));
		const opening = `import {openDatabase} from ${JSON.stringify(module)}; console.log(openDatabase({file: ${JSON.stringify(file)}}).problem)`;
		const said = execFileSync(process.execPath, ['--input-type=module', '-e', opening], {
			encoding: 'utf8',
			timeout: 10_000,
		});
		holder.kill('SIGKILL');
		expect(said).toContain('another program has locked it');
	});

	test.skipIf(!existsSync('/usr/bin/strace'))('reports a file system without locks, and the remedy', () => {
		const opening = `import {openDatabase} from ${JSON.stringify(module)}; console.log(openDatabase({file: ${JSON.stringify(file)}}).problem)`;
		mkdirSync(join(folder, 'state'));
		writeFileSync(file, '');
		const said = execFileSync(
			'strace',
			[
				'-f',
				'-o',
				'/dev/null',
				'-P',
				file,
				'-e',
				'trace=fcntl',
				'-e',
				'inject=fcntl:error=ENOLCK',
				process.execPath,
				'--input-type=module',
				'-e',
				opening,
			],
			{encoding: 'utf8', timeout: 20_000},
		);
		expect(said).toMatch(/can.t be used.*can't lock files\. .*set XDG_STATE_HOME/);
	});
});

test('every program reports what happened until it is acknowledged', () => {
	mkdirSync(join(folder, 'state'));
	writeFileSync(file, 'not a database at all'.repeat(500));
	const first = open();
	expect(newest(first)).toContain('was damaged');
	first.close();
	opened.pop();
	const second = open();
	expect(second.incidents.all()).toHaveLength(1);
	second.incidents.acknowledge();
	expect(open().incidents.all()).toEqual([]);
});

function replaceWithEmpty(): void {
	removeAll();
	writeFileSync(file, '');
}
