import type {Computer, ProvisioningStep} from './computer.ts';

/** The state of a step. The contract names no words for it, so each word in use maps to one of these. */
export type StepState = 'pending' | 'running' | 'done' | 'failed' | 'skipped' | 'canceled';

const words: Readonly<Record<StepState, string>> = {
	pending: 'pending queued waiting not_started scheduled created blocked',
	running: 'in_progress running active started starting processing working executing installing provisioning',
	done: 'completed complete succeeded success done finished ok passed ready',
	failed: 'failed failure error errored timed_out timeout aborted expired',
	skipped: 'skipped not_applicable disabled',
	canceled: 'canceled cancelled',
};

const stateOfWord: ReadonlyMap<string, StepState> = new Map(
	Object.entries(words).flatMap(([state, list]) =>
		list.split(' ').map(word => [word, state as StepState] as const),
	),
);

/** The state of a step. `raw` is its own word, untouched, when the table doesn't know it. */
export function stepState(step: ProvisioningStep): {readonly state: StepState; readonly raw?: string} {
	const raw = step.status ?? '';
	const known = stateOfWord.get(normalizeWord(raw));
	if (known) return {state: known};
	const state = stateFromFields(step);
	return raw.trim() === '' ? {state} : {state, raw};
}

function stateFromFields(step: ProvisioningStep): StepState {
	if (step.error) return 'failed';
	if (step.completedAt !== undefined) return 'done';
	if (step.startedAt !== undefined) return 'running';
	return 'pending';
}

function normalizeWord(word: string): string {
	return word
		.trim()
		.toLowerCase()
		.replaceAll(/[\s-]+/g, '_');
}

/** One step with what its progress shows. Durations are ms. */
export type StepProgress = {
	readonly step: ProvisioningStep;
	readonly state: StepState;
	/** The step's own word, when it is not one we know. */
	readonly raw?: string;
	/** How long it ran, or has been running; absent when it didn't start or its times can't be true. */
	readonly elapsed?: number;
	/** Median of past runs. */
	readonly usual?: number;
	/** Running for more than one and a half times its median. */
	readonly isLong: boolean;
};

export type Progress = {
	readonly steps: readonly StepProgress[];
	/** Steps that are over well: done, or skipped where none failed. */
	readonly done: number;
	readonly total: number;
	/** The step that runs, else the next one that will; absent when all are over. */
	readonly current?: StepProgress;
	/** The first step that failed. */
	readonly failed?: StepProgress;
	/** ms until the last step should be over; absent when a remaining step has no median. */
	readonly eta?: number;
	/** ms in which at least one step ran, until now or until the last one ended; absent when none has begun. */
	readonly elapsed?: number;
	/** Nothing will change by itself any more. */
	readonly isSettled: boolean;
};

/**
 * How far a computer's provisioning is. `median` answers ms by step name; `now` is the service's time, Unix ms
 * (ours plus the skew), since the steps carry the service's times.
 */
export function progress(
	computer: Computer,
	median: (stepName: string) => number | undefined,
	now: number,
): Progress {
	const steps = (computer.provisioningSteps ?? []).map(step => stepProgress(step, median, now));
	const current =
		steps.find(step => step.state === 'running') ??
		(isComputerOver(computer) ? undefined : steps.find(step => step.state === 'pending'));
	const failed = steps.find(step => step.state === 'failed');
	const isSettled = isOver(computer, steps);
	const eta = isSettled ? undefined : remaining(steps);
	const elapsed = ranFor(steps);
	return {
		steps,
		done: steps.filter(({state}) => state === 'done' || (state === 'skipped' && !failed)).length,
		total: steps.length,
		isSettled,
		...(current && {current}),
		...(failed && {failed}),
		...(eta !== undefined && {eta}),
		...(elapsed !== undefined && {elapsed}),
	};
}

/** Steps may run beside each other, and one that is run again may begin hours after the others: neither counts twice. */
function ranFor(steps: readonly StepProgress[]): number | undefined {
	const runs = steps.flatMap(({step: {startedAt}, elapsed}) =>
		startedAt === undefined || elapsed === undefined ? [] : {from: startedAt, to: startedAt + elapsed},
	);
	if (runs.length === 0) return undefined;
	let total = 0;
	let end = Number.NEGATIVE_INFINITY;
	for (const {from, to} of runs.sort((a, b) => a.from - b.from)) {
		total += Math.max(0, to - Math.max(from, end));
		end = Math.max(end, to);
	}
	return total;
}

function stepProgress(
	step: ProvisioningStep,
	median: (stepName: string) => number | undefined,
	now: number,
): StepProgress {
	const state = stepState(step);
	const elapsed = stepElapsed(step, state.state, now);
	const usual = step.name === undefined ? undefined : median(step.name);
	return {
		step,
		...state,
		...(elapsed !== undefined && {elapsed}),
		...(usual !== undefined && {usual}),
		isLong:
			state.state === 'running' && usual !== undefined && elapsed !== undefined && elapsed > usual * 1.5,
	};
}

/** ms a step ran or has been running; absent when it didn't start or its times can't be true. */
function stepElapsed(step: ProvisioningStep, state: StepState, now: number): number | undefined {
	if (step.startedAt === undefined) return undefined;
	if (state === 'running') return Math.max(0, now - step.startedAt);
	return stepDuration(step);
}

/** ms from the start to the end of a step that is over. */
export function stepDuration(step: ProvisioningStep): number | undefined {
	if (step.startedAt === undefined || step.completedAt === undefined) return undefined;
	const ms = step.completedAt - step.startedAt;
	return ms >= 0 ? ms : undefined;
}

function remaining(steps: readonly StepProgress[]): number | undefined {
	let sum = 0;
	for (const {state, usual, elapsed} of steps) {
		if (state !== 'running' && state !== 'pending') continue;
		if (usual === undefined) return undefined;
		sum += Math.max(0, usual - (state === 'running' ? (elapsed ?? 0) : 0));
	}
	return steps.length === 0 ? undefined : sum;
}

function isComputerOver(computer: Computer): boolean {
	return computer.status === 'active' || computer.status === 'error';
}

/**
 * A computer in `error` leaves its later steps pending for ever. An `active` one may still have a step waiting:
 * the retry of its install was accepted and has not begun.
 */
function isOver(computer: Computer, steps: readonly StepProgress[]): boolean {
	if (computer.status === 'provisioning') return false;
	if (steps.some(step => step.state === 'running')) return false;
	return computer.status === 'error' || steps.every(step => step.state !== 'pending');
}

/** The step that installs dependencies: the one with its own session, else the one named so. */
export function installStep(computer: Computer): ProvisioningStep | undefined {
	const steps = computer.provisioningSteps ?? [];
	return (
		steps.findLast(step => step.installSessionId !== undefined) ??
		steps.findLast(step => /install|dependenc|\bdeps\b/i.test(step.name ?? ''))
	);
}

/** Whether the install can be retried, and if not, why (a sentence). `computer` is undefined if it was never read. */
export function retryInstall(
	computer: Computer | undefined,
): {readonly isPossible: true} | {readonly isPossible: false; readonly why: string} {
	if (!computer) return {isPossible: false, why: 'This computer has not been read yet.'};
	const step = installStep(computer);
	if (!step) return {isPossible: false, why: 'This computer has no dependency install step.'};
	const {state} = stepState(step);
	if (state === 'failed' || state === 'canceled') return {isPossible: true};
	return {isPossible: false, why: whyNot[state]};
}

const whyNot: Readonly<Record<Exclude<StepState, 'failed' | 'canceled'>, string>> = {
	pending: 'The dependency install has not started.',
	running: 'The dependency install is running.',
	done: 'The dependency install is done.',
	skipped: 'The dependency install was skipped.',
};

/** The newest snapshot. One that came without steps doesn't mean "no steps": the last known stay. */
export function mergeComputer(previous: Computer | undefined, next: Computer): Computer {
	if (next.provisioningSteps !== undefined || previous?.provisioningSteps === undefined) return next;
	return {...next, provisioningSteps: previous.provisioningSteps};
}
