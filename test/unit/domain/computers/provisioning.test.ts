import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Computer, ProvisioningStep} from '../../../../src/domain/computers/computer.ts';
import {
	failureOf,
	mergeComputer,
	progress,
	retryInstall,
	type StepState,
	stepState,
	troubleOf,
} from '../../../../src/domain/computers/provisioning.ts';
import {knownComputer, noon} from '../../../support/fleet.ts';

test.each<[ProvisioningStep, StepState, string?]>([
	[{status: 'queued'}, 'pending'],
	[{status: ' Not-Started '}, 'pending'],
	[{status: 'IN PROGRESS'}, 'running'],
	[{status: 'Succeeded'}, 'done'],
	[{status: 'timed out'}, 'failed'],
	[{status: 'not applicable'}, 'skipped'],
	[{status: 'cancelled'}, 'canceled'],
	[{status: 'warming', startedAt: 1}, 'running', 'warming'],
	[{status: 'warming', startedAt: 1, completedAt: 2}, 'done', 'warming'],
	[{status: 'warming', error: 'no'}, 'failed', 'warming'],
	[{status: 'warming'}, 'pending', 'warming'],
	[{startedAt: 0}, 'running'],
	[{}, 'pending'],
])('%o is %s', (step, state, raw) => {
	expect(stepState(step)).toEqual(raw === undefined ? {state} : {state, raw});
});

const steps: ProvisioningStep[] = [
	{name: 'check', status: 'done', startedAt: 0, completedAt: 1_000},
	{name: 'clone', status: 'running', startedAt: 1_000},
	{name: 'install-deps', status: 'pending'},
];
const medians: Record<string, number> = {clone: 4_000, 'install-deps': 10_000};
const median = (name: string) => medians[name];

test('progress counts finished steps, names the running one and estimates the time left', () => {
	const found = progress({id: 'c', status: 'provisioning', provisioningSteps: steps}, median, 3_000);
	expect(found).toMatchObject({done: 1, total: 3, eta: 12_000, isSettled: false});
	expect(found.current?.step.name).toBe('clone');
	expect(found.steps.map(step => step.elapsed)).toEqual([1_000, 2_000, undefined]);
	expect(found.failed).toBeUndefined();
});

test('marks a step that runs much longer than usual, and leaves it out of the time left', () => {
	const found = progress({id: 'c', status: 'provisioning', provisioningSteps: steps}, median, 9_000);
	expect(found.current?.isLong).toBe(true);
	expect(found.eta).toBe(10_000);
	expect(progress({id: 'c', provisioningSteps: steps}, () => undefined, 9_000).eta).toBeUndefined();
});

test.each<[Computer['status'], string[], boolean]>([
	['provisioning', ['done'], false],
	['active', ['done', 'skipped'], true],
	['active', ['done', 'failed'], true],
	['active', ['done', 'running'], false],
	['error', ['failed', 'pending'], true],
	[undefined, [], true],
])('a computer in %s with steps %j is settled: %s', (status, words, isSettled) => {
	const computer = {id: 'c', ...(status && {status}), provisioningSteps: words.map(word => ({status: word}))};
	expect(progress(computer, median, 0).isSettled).toBe(isSettled);
});

test('a computer that was never read has no install to retry', () => {
	expect(retryInstall(undefined)).toEqual({
		isPossible: false,
		why: 'This computer has not been read yet.',
	});
});

test('the total time counts concurrent steps once, and leaves out the pause before a retry', () => {
	const step = (startedAt?: number, completedAt?: number, status = 'done') => ({
		status,
		...(startedAt !== undefined && {startedAt}),
		...(completedAt !== undefined && {completedAt}),
	});
	const elapsed = (...provisioningSteps: ProvisioningStep[]) =>
		progress({id: 'c', provisioningSteps}, () => undefined, 100).elapsed;
	expect(elapsed()).toBeUndefined();
	expect(elapsed(step(), step(undefined, 4))).toBeUndefined();
	expect(elapsed(step(10, 20), step(20, 25))).toBe(15);
	expect(elapsed(step(10, 30), step(15, 20), step(25, 40))).toBe(30);
	expect(elapsed(step(10, 20), step(90, undefined, 'running'))).toBe(20);
});

test.each<[string, ProvisioningStep[] | undefined, string | undefined]>([
	['failed install', [{name: 'Install dependencies', status: 'failed'}], undefined],
	['canceled install', [{name: 'deps', status: 'canceled'}], undefined],
	['failed step with a session of its own', [{name: 'x', status: 'error', installSessionId: 's'}], undefined],
	['no step', undefined, 'This computer has no dependency install step.'],
	['running install', [{name: 'install', status: 'running'}], 'The dependency install is running.'],
	[
		'done install',
		[{name: 'install', status: 'done'}],
		'The dependency install is done: only a failed one is run again.',
	],
])('retry with a %s', (_name, provisioningSteps, why) => {
	const computer = {id: 'c', ...(provisioningSteps && {provisioningSteps})};
	expect(retryInstall(computer)).toEqual(why ? {isPossible: false, why} : {isPossible: true});
});

test('an answer without steps keeps the known ones; one with an empty list removes them', () => {
	const known = {id: 'c', hostname: 'old', provisioningSteps: steps};
	expect(mergeComputer(known, {id: 'c', status: 'active'})).toEqual({
		id: 'c',
		status: 'active',
		provisioningSteps: steps,
	});
	expect(mergeComputer(known, {id: 'c', provisioningSteps: []}).provisioningSteps).toEqual([]);
	expect(mergeComputer(undefined, {id: 'c'})).toEqual({id: 'c'});
});

test('whatever the words and times, the numbers make sense', () => {
	const step = fc.record(
		{
			name: fc.string(),
			status: fc.oneof(fc.string(), fc.constantFrom('running', 'done', 'failed', 'queued')),
			error: fc.string(),
			startedAt: fc.integer(),
			completedAt: fc.integer(),
		},
		{requiredKeys: []},
	);
	fc.assert(
		fc.property(
			fc.array(step),
			fc.option(fc.constantFrom('provisioning', 'active', 'error'), {nil: undefined}),
			fc.integer(),
			(provisioningSteps, status, now) => {
				const found = progress({id: 'c', provisioningSteps, ...(status && {status})}, () => 1_000, now);
				expect(found.done).toBeLessThanOrEqual(found.total);
				expect(found.eta ?? 0).toBeGreaterThanOrEqual(0);
				expect(found.elapsed ?? 0).toBeGreaterThanOrEqual(0);
				for (const {elapsed} of found.steps) expect(elapsed ?? 0).toBeGreaterThanOrEqual(0);
				if (found.isSettled) expect(found.steps.some(one => one.state === 'running')).toBe(false);
			},
		),
	);
});

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
