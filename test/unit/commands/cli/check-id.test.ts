import {expect, test} from 'vitest';
import {AbortError, UnauthorizedError} from '../../../../src/api/errors.ts';
import {checkId} from '../../../../src/commands/cli/check-id.ts';
import type {CommandContext} from '../../../../src/commands/cli/context.ts';

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
