import {expect, test} from 'vitest';
import {createSafeWrite} from '../../../../src/commands/cli/registry.ts';
import {StorageError} from '../../../../src/db/storage-error.ts';

test('a failing disk is reported once; a bug is not taken for one', () => {
	const notes: string[] = [];
	const safeWrite = createSafeWrite(note => notes.push(note));
	const fail = (error: Error) => () =>
		safeWrite(() => {
			throw error;
		});
	for (const _ of [1, 2]) fail(new StorageError('full', new Error('full')))();
	expect(notes).toEqual([expect.stringContaining('the disk is full')]);
	expect(fail(new TypeError('x is undefined'))).toThrow(TypeError);
});
