import {chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {currentEnvironment} from '../../../hooks/runtime-folder.ts';
import {
	formatSpoolName,
	maxSpoolAge,
	maxSpoolBytes,
	maxSpoolFiles,
	parseSpoolName,
	spool,
	trimSpool,
} from '../../../hooks/spool.ts';
import type {Envelope} from '../../../hooks/wire.ts';
import {neighborId, noNeighbor} from '../../support/neighbor.ts';
import {temporaryHookFolders} from '../../support/temporary-hook-folders.ts';

const now = Date.UTC(2026, 10, 1);

function envelope(ts: number, event = 'SubagentStop'): Envelope {
	return {v: 1, id: `id-${ts}-0000`, ts, client: '', event, pid: 2, agentPid: 1, data: {}};
}

/** Writes a file of a spool by its name alone: limits are kept by what names tell. */
function put(folder: string, ts: number, bytes: number, before = '', after = ''): string {
	mkdirSync(folder, {recursive: true, mode: 0o700});
	const name = `${before}${formatSpoolName({ts, id: 'filler-00', bytes})}${after}`;
	writeFileSync(join(folder, name), '');
	return name;
}

test('a name holds time, id, size and whether something ended, whatever follows it', () => {
	for (const isEnd of [false, true]) {
		const name = {ts: now, id: '5e5e5e5e-0000-4000-8000-000000000000', bytes: 196, isEnd};
		expect(parseSpoolName(formatSpoolName(name))).toEqual(name);
		expect(parseSpoolName(`${formatSpoolName(name)}.${now}.claim`)).toEqual(name);
	}
	for (const other of ['notes.txt', '.hidden', '1-2-3.json']) expect(parseSpoolName(other)).toBeUndefined();
});

test('drops the oldest when the bytes no longer fit', () => {
	const {spool: folder} = temporaryHookFolders();
	const names = Array.from({length: 100}, (_, i) => put(folder, now + i, 16_000));
	expect(spool([folder], '{}\n', envelope(now + 100), currentEnvironment())).toBe(true);
	const left = readdirSync(folder).sort();
	expect(left.length).toBe(1 + Math.floor((maxSpoolBytes - 3) / 16_000));
	expect(left.slice(0, -1)).toEqual(names.slice(1 - left.length));
});

test('drops files over the limit, those older than a day, and forgotten temporary ones', () => {
	const {spool: folder} = temporaryHookFolders();
	put(folder, now - maxSpoolAge - 1, 3);
	put(folder, now - 61_000, 3, '.');
	const fresh = put(folder, now - 1000, 3, '.');
	writeFileSync(join(folder, 'not-ours'), '');
	const names = Array.from({length: maxSpoolFiles + 5}, (_, i) => put(folder, now + i, 3));
	trimSpool(folder, now);
	expect(readdirSync(folder).sort()).toEqual([fresh, ...names.slice(5), 'not-ours']);
});

test('drops the ends of turns and sessions last, and the oldest of them first', () => {
	const {spool: folder} = temporaryHookFolders();
	const give = (index: number, event: string) =>
		expect(spool([folder], '{}\n', envelope(now + index, event), currentEnvironment())).toBe(true);
	const offsets = () => readdirSync(folder).map(name => (parseSpoolName(name)?.ts ?? 0) - now);
	for (let i = 0; i < maxSpoolFiles; i++) give(i, i % 2 === 0 ? 'Stop' : 'Notification');
	for (let i = 0; i < 250; i++) give(maxSpoolFiles + i, i % 2 === 0 ? 'SessionEnd' : 'UserPromptSubmit');
	expect(offsets()).toHaveLength(maxSpoolFiles);
	const ended = [...Array(maxSpoolFiles / 2).keys()].map(i => 2 * i);
	const later = [...Array(125).keys()].map(i => maxSpoolFiles + 2 * i);
	expect(offsets()).toEqual(expect.arrayContaining([...ended, ...later]));
	for (let i = 0; i < maxSpoolFiles; i++) give(1000 + i, 'StopFailure');
	expect(offsets()).toEqual([...Array(maxSpoolFiles).keys()].map(i => 1000 + i));
});

test('closes a folder that was too open', () => {
	const {spool: folder} = temporaryHookFolders();
	mkdirSync(folder, {recursive: true});
	chmodSync(folder, 0o755);
	expect(spool([folder], '{}\n', envelope(now), currentEnvironment())).toBe(true);
	expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test.skipIf(noNeighbor)("a link in another user's folder changes no folder of ours", () => {
	const {root} = temporaryHookFolders();
	const [ours, theirs] = [join(root, 'home'), join(root, 'theirs')];
	mkdirSync(theirs, {mode: 0o777});
	chownSync(theirs, neighborId, neighborId);
	chmodSync(ours, 0o755);
	symlinkSync(ours, join(theirs, 'spool'));
	expect(spool([join(theirs, 'spool')], '{}\n', envelope(now), currentEnvironment())).toBe(false);
	expect(spool([join(theirs, 'other')], '{}\n', envelope(now), currentEnvironment())).toBe(false);
	expect(statSync(ours).mode & 0o777).toBe(0o755);
});

test('a folder that takes nothing leaves the event to the next', () => {
	const {spool: folder} = temporaryHookFolders();
	expect(spool(['/dev/null/spool', folder], '{}\n', envelope(now), currentEnvironment())).toBe(true);
	expect(readdirSync(folder)).toHaveLength(1);
	expect(spool(['/dev/null/spool'], '{}\n', envelope(now), currentEnvironment())).toBe(false);
});
