import {expect, test} from 'vitest';
import {failureOf, troubleOf} from '../../../../src/domain/computers/provisioning.ts';
import {knownComputer, noon} from '../../../support/fleet.ts';

test.each([
	[
		"Cloning into 'x'...\nfatal: repository '/no/such' does not exist\n",
		"fatal: repository '/no/such' does not exist",
	],
	["Cloning into '/w/error-pages'...\nfatal: no such remote", 'fatal: no such remote'],
	['npm warn old lockfile\nnpm error code ENOENT\nnpm error path /x', 'npm error code ENOENT'],
	['exit 3\nsee the log', 'exit 3'],
	[`${'x'.repeat(20_000)} error`, `${'x'.repeat(10_000 - ' error'.length)} error`],
	[`${'error: no\n'.repeat(2000)}${'step\n'.repeat(3000)}\u001b[31mfatal: here\u001b[0m`, 'fatal: here'],
	['Receiving 10%\rReceiving 90%\rfatal: gone', 'fatal: gone'],
])('takes the reason of a failed step from the line that gives it: %j', (error, line) => {
	const step = {id: 's', name: 'clone repo', status: 'failed', error};
	expect(failureOf({id: 'c', name: 'box', provisioningSteps: [step]})?.reason).toBe(`clone repo: ${line}`);
});

test('a failure without an error has only its step as the reason, and without a step none', () => {
	expect(failureOf({id: 'c', name: 'box', status: 'error'})?.reason).toBeUndefined();
	const step = {id: 's', name: 'clone repo', status: 'failed'};
	expect(failureOf({id: 'c', name: 'box', provisioningSteps: [step]})?.reason).toBe('clone repo');
});

const minute = 60_000;

/** A computer whose clone has run this long when it is read. */
const cloning = (elapsed: number, createdAt = noon - 90 * minute) => ({
	...knownComputer('c', {
		status: 'provisioning',
		createdAt,
		provisioningSteps: [{id: '1', name: 'clone', status: 'running', startedAt: noon - elapsed}],
	}),
	fetchedAt: noon,
});

test.each([
	['as long as usual', 5, 4, undefined],
	['ten minutes, but not three times as long', 11, 4, undefined],
	['three times as long, but not ten minutes', 9, 2, undefined],
	['far longer than usual', 12, 4, 'clone: takes far longer than usual'],
	['long, but nobody knows what is usual', 59, undefined, undefined],
	['an hour', 60, undefined, 'clone: no change for over an hour'],
])('a step that takes %s needs the user or not', (_, minutes, usual, reason) => {
	const trouble = troubleOf(cloning(minutes * minute), () => usual && usual * minute);
	expect(trouble?.reason).toBe(reason);
	expect(trouble?.isStuck).toBe(reason === undefined ? undefined : true);
	// The same time of being stuck is told once.
	const later = {...cloning(minutes * minute), fetchedAt: noon + minute};
	if (trouble) expect(troubleOf(later, () => usual && usual * minute)?.episode).toBe(trouble.episode);
});

test('a computer that waits for its first step is stuck after an hour without one', () => {
	const waiting = (fetchedAt: number) => ({
		...knownComputer('c', {
			status: 'provisioning',
			createdAt: noon,
			provisioningSteps: [{name: 'clone', status: 'pending'}],
		}),
		fetchedAt,
	});
	expect(troubleOf(waiting(noon + 59 * minute), () => undefined)).toBeUndefined();
	expect(troubleOf(waiting(noon + 60 * minute), () => undefined)).toMatchObject({since: noon, isStuck: true});
});
