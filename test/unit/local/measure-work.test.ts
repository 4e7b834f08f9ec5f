import {expect, test} from 'vitest';
import {changesOfLog, changesOfStatus, hashesOfLog} from '../../../src/local/measure-work.ts';

test('a status tells what is new and what is changed', () => {
	const status = ['?? new file.ts', 'A  added.ts', ' M edited.ts', 'MM twice.ts', ' D gone.ts', ''].join(
		'\0',
	);
	expect(changesOfStatus(status)).toEqual([
		{path: 'new file.ts', kind: 'created'},
		{path: 'added.ts', kind: 'created'},
		{path: 'edited.ts', kind: 'edited'},
		{path: 'twice.ts', kind: 'edited'},
	]);
	expect(changesOfStatus('')).toEqual([]);
});

test('a log tells commits and their files', () => {
	const [one, two] = ['a'.repeat(40), 'b'.repeat(40)];
	const log = `\u0001${one}\0\nA\0new.ts\0M\0old.ts\0\0\u0001${two}\0\nD\0gone.ts\0`;
	expect(hashesOfLog(log)).toEqual([one, two]);
	expect(changesOfLog(log)).toEqual([
		{path: 'new.ts', kind: 'created'},
		{path: 'old.ts', kind: 'edited'},
	]);
});
