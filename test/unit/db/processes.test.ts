import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {DatabaseSync} from 'node:sqlite';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {openDatabase} from '../../../src/db/open-database.ts';
import {times} from '../../support/random-cases.ts';

/** Number of kill -9 cycles. */
const kills = 4 * times;

let folder: string;
let file: string;
const children: ChildProcess[] = [];

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'kept-'));
	file = join(folder, 'kept.db');
});
afterEach(() => {
	for (const child of children.splice(0)) child.kill('SIGKILL');
	rmSync(folder, {recursive: true});
});

function run(name: string, ...args: string[]) {
	const script = new URL(`../../support/${name}.ts`, import.meta.url).pathname;
	const child = spawn(process.execPath, [script, ...args], {stdio: ['pipe', 'pipe', 'inherit']});
	children.push(child);
	return {child, lines: createInterface(child.stdout)[Symbol.asyncIterator]()};
}

test('only one of two processes gets the lease of a row', async () => {
	const count = 200;
	const database = openDatabase({file});
	for (let row = 0; row < count; row++) {
		database.outbox.put({
			id: `${row}`,
			sessionId: `s${row}`,
			text: '',
			images: [],
			files: [],
			state: 'queued',
			createdAt: row,
			tries: 0,
		});
	}
	const both = ['one', 'two'].map(owner => run('lease-taker', file, owner, `${count}`));
	for (const {lines} of both) expect(await lines.next()).toMatchObject({value: 'ready'});
	for (const {child} of both) child.stdin?.write('go\n');
	const got = await Promise.all(both.map(async ({lines}) => JSON.parse((await lines.next()).value ?? '[]')));
	expect(got.flat().toSorted((a, b) => a - b)).toEqual(Array.from({length: count}, (_, row) => row));
	database.close();
});

test('a process killed while it writes leaves a sound file with everything it reported as stored', async () => {
	for (let kill = 0; kill < kills; kill++) {
		const {child, lines} = run('database-writer', file);
		let last = 0;
		// Another moment each time: after so many writes, and then wherever the signal finds it.
		while (last < 1 + ((kill * 37) % 90)) last = Number((await lines.next()).value);
		const exit = once(child, 'exit');
		child.kill('SIGKILL');
		for (let line = await lines.next(); !line.done; line = await lines.next()) last = Number(line.value);
		await exit;
		const database = openDatabase({file});
		expect([database.problem, database.incidents.all()]).toEqual([undefined, []]);
		expect(Number(database.drafts.get('s')?.text)).toBeGreaterThanOrEqual(last);
		expect(database.outbox.get(`${last}`)?.text).toBe(`${last}`);
		expect(database.messages.tail('s', 1)[0]?.message.createdAt).toBeGreaterThanOrEqual(last);
		database.close();
		const raw = new DatabaseSync(file);
		expect(raw.prepare('PRAGMA integrity_check').get()).toEqual({integrity_check: 'ok'});
		raw.exec("INSERT INTO message_words (message_words, rank) VALUES ('integrity-check', 1)");
		raw.close();
	}
});
