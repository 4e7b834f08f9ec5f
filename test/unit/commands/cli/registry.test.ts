import {expect, test} from 'vitest';
import {AbortError, UnauthorizedError} from '../../../../src/api/errors.ts';
import type {CommandContext} from '../../../../src/commands/cli/context.ts';
import {UsageError} from '../../../../src/commands/cli/errors.ts';
import {checkId, createSafeWrite, namedComputer} from '../../../../src/commands/cli/registry.ts';
import {StorageError} from '../../../../src/db/file/storage-error.ts';
import {fleet, knownComputer} from '../../../support/fleet.ts';

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

/** Checks an id at a service that doesn't answer, unless it is to fail otherwise; returns the notes. */
async function checked(signal: AbortSignal, failure: Error = new AbortError(true)): Promise<string[]> {
	const notes: string[] = [];
	const output = {note: (text: string) => notes.push(text)};
	const context = {output, signal, wiring: async () => ({})} as unknown as CommandContext;
	await checkId(context, 'c-1', () => Promise.reject(failure));
	return notes;
}

test("adds an id with a note when the service doesn't answer", async () => {
	expect(await checked(new AbortController().signal)).toEqual([
		'not checked whether the service has c-1: no result so far',
	]);
});

test('an interrupted command adds nothing', async () => {
	await expect(checked(AbortSignal.abort(new Error('interrupted')))).rejects.toThrow('interrupted');
});

test('a refused key adds nothing', async () => {
	const refused = new UnauthorizedError('The service refused the key (401).', {hint: '', status: 401});
	await expect(checked(new AbortController().signal, refused)).rejects.toBe(refused);
});

test('a computer is named by its id, its name, or as lists tell those with one name apart', () => {
	const computers = [
		knownComputer('0a1b2c3d-0001', {name: 'lab'}),
		knownComputer('9f8e7d6c-0002', {name: 'lab'}),
		knownComputer('box-id', {name: 'box'}),
	];
	const named = (word: string) => namedComputer({current: () => fleet([], computers)} as never, word);
	expect(named('0a1b2c3d-0001')).toBe('0a1b2c3d-0001');
	expect(named('box')).toBe('box-id');
	expect(named('lab 9f8e7d6c')).toBe('9f8e7d6c-0002');
	expect(named('elsewhere')).toBe('elsewhere');
	expect(() => named('lab')).toThrow(UsageError);
});
