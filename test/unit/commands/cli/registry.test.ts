import {expect, test} from 'vitest';
import {createSafeWrite} from '../../../../src/commands/cli/registry.ts';
import {StorageError} from '../../../../src/db/file/storage-error.ts';

test('reports a failing disk once, but rethrows a bug', () => {
	const notes: string[] = [];
	const safeWrite = createSafeWrite(note => notes.push(note));
	const full = () => {
		throw new StorageError('full', undefined);
	};
	safeWrite(full);
	safeWrite(full);
	expect(notes).toEqual([expect.stringContaining('disk is full')]);
	expect(() =>
		safeWrite(() => {
			throw new TypeError('broken for a test');
		}),
	).toThrow('broken for a test');
	expect(notes).toHaveLength(1);
});
