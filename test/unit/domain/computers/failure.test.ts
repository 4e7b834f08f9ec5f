import {expect, test} from 'vitest';
import {failureOf} from '../../../../src/domain/computers/failure.ts';

test.each([
	[
		"Cloning into 'x'...\nfatal: repository '/no/such' does not exist\n",
		"fatal: repository '/no/such' does not exist",
	],
	["Cloning into '/w/error-pages'...\nfatal: no such remote", 'fatal: no such remote'],
	['npm warn old lockfile\nnpm error code ENOENT\nnpm error path /x', 'npm error code ENOENT'],
	['exit 3\nsee the log', 'exit 3'],
	[`${'x'.repeat(20_000)} error`, 'x'.repeat(10_000)],
])('takes the reason of a failed step from the line that gives it: %j', (error, line) => {
	const step = {id: 's', name: 'clone repo', status: 'failed', error};
	expect(failureOf({id: 'c', name: 'box', provisioningSteps: [step]})?.reason).toBe(`clone repo: ${line}`);
});

test('a failure without an error has only its step as the reason, and without a step none', () => {
	expect(failureOf({id: 'c', name: 'box', status: 'error'})).not.toHaveProperty('reason');
	const step = {id: 's', name: 'clone repo', status: 'failed'};
	expect(failureOf({id: 'c', name: 'box', provisioningSteps: [step]})?.reason).toBe('clone repo');
});
