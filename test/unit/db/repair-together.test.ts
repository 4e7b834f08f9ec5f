import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {text} from 'node:stream/consumers';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {withRepairLock} from '../../../src/db/file/repair-lock.ts';
import {openDatabase} from '../../../src/db/open-database.ts';
import {eventually} from '../../support/eventually.ts';

const worker = new URL('../../support/queue-worker.ts', import.meta.url).pathname;
const workers = 2;
const each = 60;
const total = workers * each;

let folder: string;
let file: string;
const children: ChildProcess[] = [];
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'repair-'));
	file = join(folder, 'kept.db');
});
afterEach(async () => {
	for (const child of children
		.splice(0)
		.filter(({exitCode, signalCode}) => exitCode === null && !signalCode)) {
		child.kill('SIGKILL');
		await once(child, 'exit');
	}
	rmSync(folder, {recursive: true});
});

/** A table that is missing counts as damage. */
function dropTable(): void {
	const handle = new DatabaseSync(file, {timeout: 10_000});
	handle.exec('DROP TABLE drafts');
	handle.close();
}

test('a table is dropped while two programs send: every message is sent once, and none is lost', async () => {
	const posts = join(folder, 'posts');
	const lines = () => (existsSync(posts) ? readFileSync(posts, 'utf8').trim().split('\n') : []);
	const programs = Array.from({length: workers}, (_, index) => {
		const child = spawn(process.execPath, [worker, file, posts, `w${index}`, `${each}`, `${total}`]);
		children.push(child);
		return {ended: once(child, 'exit'), errors: text(child.stderr)};
	});
	const first = programs.map((_, index) => `w${index}-0`);
	await eventually(() => expect(lines()).toEqual(expect.arrayContaining(first)));
	dropTable();
	for (const {ended, errors} of programs) expect([(await ended)[0], await errors]).toEqual([0, '']);
	expect(lines().toSorted()).toEqual([...new Set(lines())].toSorted());
	expect(lines()).toHaveLength(total);
	const database = openDatabase({file});
	expect(database.outbox.all().map(({state}) => state)).toEqual(Array(total).fill('accepted'));
	expect(database.incidents.all()).toHaveLength(1);
	database.close();
});

test('repairs nothing while another program repairs the same file', async () => {
	const script = `
		const {DatabaseSync} = require('node:sqlite');
		const lock = new DatabaseSync(${JSON.stringify(`${file}.repair`)});
		lock.exec('BEGIN EXCLUSIVE');
		console.log('held');
		process.stdin.resume().once('end', () => process.exit());
	`;
	const holder = spawn(process.execPath, ['-e', script]);
	children.push(holder);
	await once(holder.stdout, 'data');
	const repair = vi.fn();
	expect(() => withRepairLock(file, repair, 0)).toThrow(expect.objectContaining({reason: 'busy'}));
	expect(repair).not.toHaveBeenCalled();
	holder.stdin.end();
	await once(holder, 'exit');
	withRepairLock(file, repair, 0);
	expect(repair).toHaveBeenCalledOnce();
});
