import {describe, expect, test} from 'vitest';
import {
	AbortError,
	ForbiddenError,
	LostResponseError,
	MalformedError,
	NotFoundError,
	RateLimitedError,
	RejectedError,
	ServerError,
	UnauthorizedError,
	UnreachableError,
	ValidationError,
} from '../../../../src/api/errors.ts';
import {
	changing,
	exitCodeOf,
	exitCodes,
	InterruptedError,
	OutcomeUnknownError,
	UndeliveredMessageError,
	UsageError,
} from '../../../../src/commands/cli/errors.ts';
import {exitCodeText} from '../../../../src/commands/cli/help.ts';
import {ConfigError, ConfigSourceError} from '../../../../src/config/config.ts';

const facts = {hint: 'Try again.'};

test('every exit code is in the help', () => {
	expect(exitCodeText.map(([code]) => code)).toEqual(Object.values(exitCodes));
});

describe('exit codes', () => {
	test.each([
		[new UsageError('x'), 2],
		[new ConfigError('x'), 2],
		[new ValidationError('name', 'is too long'), 2],
		[new ConfigSourceError('x'), 1],
		[new RejectedError('x', facts), 1],
		[new ServerError('x', facts), 1],
		[new UnreachableError('x', facts), 1],
		[new RateLimitedError('x', {...facts, retryAfter: 1}), 1],
		[new MalformedError('x', {...facts, reason: 'shape'}), 1],
		[new Error('a bug'), 1],
		[new UnauthorizedError('x', facts), 3],
		[new ForbiddenError('x', facts), 3],
		[new NotFoundError('x', facts), 4],
		[new OutcomeUnknownError('x'), 5],
		[new UndeliveredMessageError('queued', new UnreachableError('x', facts)), 6],
		[new UndeliveredMessageError('queued', new UnauthorizedError('x', facts)), 3],
		[new UndeliveredMessageError('queued', new AbortError(false)), 130],
		[new UndeliveredMessageError('failed', new RejectedError('x', facts)), 1],
		[new UndeliveredMessageError('failed', new NotFoundError('x', facts)), 4],
		[new InterruptedError(), 130],
		[new AbortError(false), 130],
	])('%s gives %i', (error, code) => {
		expect(exitCodeOf(error)).toBe(code);
	});
});

describe('a change', () => {
	test.each([
		[new LostResponseError('lost.', facts), 5],
		[new ServerError('failed.', facts), 5],
		[new AbortError(true), 5],
		[new AbortError(false), 130],
		[new UnreachableError('down.', facts), 1],
		[new RejectedError('no.', facts), 1],
		[new UsageError('WORD is always: it must be one of once, no'), 2],
	])('that ends with %s exits with %i', async (error, code) => {
		const thrown = await changing('Look first.', () => Promise.reject(error)).catch(caught => caught);
		expect(exitCodeOf(thrown)).toBe(code);
		if (code === 5) expect(thrown.message).toMatch(/Look first\.$/);
	});
});
