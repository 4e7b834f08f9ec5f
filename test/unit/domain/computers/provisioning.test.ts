import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Computer, ProvisioningStep} from '../../../../src/domain/computers/computer.ts';
import {
	mergeComputer,
	progress,
	retryInstall,
	type StepState,
	stepState,
} from '../../../../src/domain/computers/provisioning.ts';

test.each<[ProvisioningStep, StepState, string?]>([
	[{status: 'queued'}, 'pending'],
	[{status: ' Not-Started '}, 'pending'],
	[{status: 'IN PROGRESS'}, 'running'],
	[{status: 'active'}, 'running'],
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
	['active', ['done', 'queued'], false],
	['error', ['failed', 'pending'], true],
	['hibernating', ['done'], true],
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
	['done install', [{name: 'install', status: 'done'}], 'The dependency install is done.'],
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
