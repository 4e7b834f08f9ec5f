import {execFileSync} from 'node:child_process';
import {
	closeSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
	writeSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {Database} from '../../../src/db/database.ts';
import {hasSoundWal} from '../../../src/db/file/open-file.ts';
import {openDatabase} from '../../../src/db/open-database.ts';
import type {OutboxItem} from '../../../src/domain/messages/delivery.ts';

let folder: string;
let file: string;
const opened: Database[] = [];

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'kept-'));
	file = join(folder, 'state', 'kept.db');
});
afterEach(() => {
	for (const database of opened.splice(0)) database.close();
	rmSync(folder, {recursive: true});
});

function newest({incidents}: Database): string | undefined {
	return incidents.all().at(-1)?.what;
}

function open(at = file): Database {
	const database = openDatabase({file: at});
	opened.push(database);
	return database;
}

function item(id: string): OutboxItem {
	return {
		id,
		sessionId: 's',
		text: `text ${id}`,
		images: [{data: 'aa'}],
		files: [],
		state: 'queued',
		createdAt: 1,
		tries: 0,
	};
}

/** Everything of each family, so that what is brought over can be seen. */
function fill(database: Database): void {
	database.outbox.put(item('x'));
	database.drafts.put('s', {text: 'half a thought', images: [], files: [{name: 'f'}], updatedAt: 5});
	database.sessions.put({id: 's', origin: 'added', addedAt: 1});
	database.computers.put({id: 'c', origin: 'added', addedAt: 1});
	for (let i = 0; i < 400; i++) {
		database.messages.put('s', [
			{message: {id: `m${i}`, createdAt: i, content: [{text: `number ${i} ${'x'.repeat(400)}`}]}},
		]);
	}
}

function damage(from: number, length: number): void {
	const fd = openSync(file, 'r+');
	writeSync(fd, Buffer.alloc(length, 0xa5), 0, length, from);
	closeSync(fd);
}

test('only the user can read what is stored', () => {
	fill(open());
	expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700);
	for (const name of readdirSync(join(folder, 'state'))) {
		expect([name, statSync(join(folder, 'state', name)).mode & 0o777]).toEqual([name, 0o600]);
	}
});

test('recognizes versions of SQLite with the WAL-reset fault', () => {
	expect(['3.50.4', '3.51.2', '3.51.3', '3.52.0', '4.0.0'].map(hasSoundWal)).toEqual([
		false,
		false,
		true,
		true,
		true,
	]);
});

test("leaves a newer program's file as it is, and says to update", () => {
	const before = open();
	fill(before);
	before.close();
	const raw = new DatabaseSync(file);
	raw.exec('PRAGMA user_version = 99');
	raw.close();
	const bytes = readFileSync(file);
	const database = open();
	expect(database.problem).toContain('Update Quarterdeck');
	expect(database.isPartial).toBe(true);
	expect(database.sessions.all()).toHaveLength(1);
	expect(database.drafts.get('s')?.text).toBe('half a thought');
	// Sent from here, a message would be sent again by the newer program.
	expect(database.outbox.all()).toEqual([]);
	database.outbox.put(item('y'));
	expect(readFileSync(file)).toEqual(bytes);
});

test('sets a file of another version aside with what was typed, and says so', () => {
	const before = open();
	fill(before);
	before.close();
	const raw = new DatabaseSync(file);
	raw.exec('DROP TABLE history; PRAGMA user_version = 0');
	raw.close();
	const database = open();
	expect(newest(database)).toMatch(
		/is of another version of Quarterdeck and is now in .*1 draft, 1 session, 1 computer/,
	);
	expect(database.outbox.all()).toEqual([item('x')]);
	database.history.add('s', 'words');
	expect(open().drafts.get('s')?.text).toBe('half a thought');
});

test("works in memory and says so if the state folder can't be made", () => {
	writeFileSync(join(folder, 'state'), 'a file is in the way');
	const database = open();
	expect(database.problem).toContain('nothing will be saved after this run');
	fill(database);
	expect(database.outbox.all()).toHaveLength(1);
	expect([...database.messages.search('number 399', 1).steps]).toContain(1);
});

describe('damage', () => {
	test("moves a file that isn't a database aside, and says so", () => {
		mkdirSync(join(folder, 'state'));
		writeFileSync(file, 'not a database at all, but long enough to be looked at'.repeat(100));
		const database = open();
		expect(database.problem).toBeUndefined();
		expect(newest(database)).toContain('was damaged');
		const aside = readdirSync(join(folder, 'state')).find(name => name.includes('.damaged-'));
		expect(readFileSync(join(folder, 'state', aside ?? ''), 'utf8')).toContain('not a database');
		fill(database);
	});

	test.each([
		['page', 0.99],
		['half', 0.5],
	])('recovers what was typed from the rest of a file that lost its last %s', (_, share) => {
		fill(open());
		opened.pop()?.close();
		truncateSync(file, Math.floor(statSync(file).size * share));
		const database = open();
		expect(newest(database)).toContain('1 message of the outbox, 1 draft, 1 session, 1 computer');
		expect(database.outbox.all()).toEqual([item('x')]);
		expect(database.drafts.get('s')?.text).toBe('half a thought');
	});

	test('found while running: recovers typed text and the registry, and the work goes on', () => {
		const first = open();
		fill(first);
		first.close();
		const pages = statSync(file).size / 4096;
		const raw = new DatabaseSync(file);
		const {rootpage} = raw.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'messages'").get() as {
			rootpage: number;
		};
		raw.close();
		expect(pages).toBeGreaterThan(rootpage);
		damage((rootpage - 1) * 4096, 4096);
		const database = open();
		expect(newest(database)).toBeUndefined();
		expect(database.messages.tail('s', 10)).toEqual([]);
		expect(newest(database)).toContain('1 message of the outbox, 1 draft, 1 session, 1 computer');
		expect(database.outbox.all()).toEqual([item('x')]);
		expect(database.drafts.get('s')).toEqual({
			text: 'half a thought',
			images: [],
			files: [{name: 'f'}],
			updatedAt: 5,
			revision: expect.any(String),
		});
		database.messages.put('s', [{message: {id: 'm'}}]);
		expect(open().messages.count('s')).toBe(1);
	});
});

test.skipIf(!existsSync('/usr/bin/strace'))(
	'reports a disk that becomes read-only as such, not as full',
	() => {
		fill(open());
		const script = `
		import {openDatabase} from ${JSON.stringify(new URL('../../../src/db/open-database.ts', import.meta.url).pathname)};
		const database = openDatabase({file: ${JSON.stringify(file)}});
		try {
			database.drafts.put('d', {text: 'x', images: [], files: [], updatedAt: 1});
		} catch ({message}) {
			console.log(message);
		}
	`;
		const failing = ['pwrite64:error=EROFS', 'access:error=EROFS:when=3+'].flatMap(call => [
			'-e',
			`inject=${call}`,
		]);
		const traced = ['-f', '-o', '/dev/null', '-P', file, '-P', `${file}-wal`, ...failing];
		const out = execFileSync('strace', [...traced, process.execPath, '--input-type=module', '-e', script], {
			timeout: 60_000,
			encoding: 'utf8',
		});
		expect(out).toContain('it is read-only');
	},
);

test('a full disk fails writes with one error, but no reads, and does no harm', () => {
	fill(open());
	const script = `
		import {openDatabase} from ${JSON.stringify(new URL('../../../src/db/open-database.ts', import.meta.url).pathname)};
		const database = openDatabase({file: ${JSON.stringify(file)}});
		let error;
		for (let i = 0; i < 5000 && !error; i++) {
			try { database.drafts.put('d' + i, {text: 'x'.repeat(5000), images: [], files: [], updatedAt: i}); } catch (caught) { error = caught; }
		}
		console.log(JSON.stringify({name: error?.name, reason: error?.reason, sessions: database.sessions.all().length, tail: database.messages.tail('s', 5).length}));
	`;
	// A limit on the size of files stands in for a disk without room: both end a write the same way.
	const blocks = Math.ceil(statSync(file).size / 512) + 2048;
	const out = execFileSync(
		'sh',
		['-c', `ulimit -f ${blocks}; exec "$0" --input-type=module -e "$1"`, process.execPath, script],
		{encoding: 'utf8', timeout: 60_000},
	);
	expect(JSON.parse(out)).toEqual({name: 'StorageError', reason: 'full', sessions: 1, tail: 5});
	const raw = new DatabaseSync(file);
	expect(raw.prepare('PRAGMA integrity_check').get()).toEqual({integrity_check: 'ok'});
	raw.close();
});
