import type {KnownComputer} from '../known.ts';
import {highest} from '../large-arrays.ts';
import {maskText} from '../masking.ts';
import {episodeOf} from '../sessions/attention.ts';
import type {Computer, ProvisioningStep} from './computer.ts';

/** The state of a step. The contract defines no status words, so each word in use maps to one of these. */
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

/** Returns the state of a step. `raw` is the original status word if it is not in the table. */
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

export type StepProgress = ReturnType<typeof stepProgress>;

export type Progress = ReturnType<typeof progress>;

/**
 * Computes a computer's provisioning progress. `median` returns ms by step name; `now` is service time in
 * Unix ms (local time plus skew), because step times are service times.
 */
export function progress(computer: Computer, median: (stepName: string) => number | undefined, now: number) {
	const steps = (computer.provisioningSteps ?? []).map(step => stepProgress(step, median, now));
	const current =
		steps.find(step => step.state === 'running') ??
		(isComputerOver(computer) ? undefined : steps.find(step => step.state === 'pending'));
	const failed = steps.find(step => step.state === 'failed');
	const isSettled = isOver(computer, steps);
	return {
		steps,
		/** Number of steps completed successfully: done, or skipped while none failed. */
		done: steps.filter(({state}) => state === 'done' || (state === 'skipped' && !failed)).length,
		total: steps.length,
		/** No further change is expected without intervention. */
		isSettled,
		/** The running step, otherwise the next one to run; undefined when all have finished. */
		current,
		failed,
		/** Estimated ms until the last step finishes; undefined if a remaining step has no median. */
		eta: isSettled ? undefined : estimateRemaining(steps),
		/** Ms during which at least one step was running; undefined if none has started. */
		elapsed: runningTime(steps),
	};
}

/** Sums run time without counting overlaps between parallel steps, or idle gaps before a step that is rerun. */
function runningTime(steps: readonly StepProgress[]): number | undefined {
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

function stepProgress(step: ProvisioningStep, median: (stepName: string) => number | undefined, now: number) {
	const {state, raw} = stepState(step);
	const elapsed = stepElapsed(step, state, now);
	const usual = step.name === undefined ? undefined : median(step.name);
	return {
		step,
		state,
		/** The step's own status word, if unknown. */
		raw,
		/** How long it ran or has been running, ms; undefined if it didn't start or its times are invalid. */
		elapsed,
		/** Median duration of past runs, ms. */
		usual,
		/** Has been running for more than 1.5 times its median. */
		isLong: state === 'running' && usual !== undefined && elapsed !== undefined && elapsed > usual * 1.5,
	};
}

/** How long a step ran or has been running, ms; undefined if it didn't start or its times are invalid. */
function stepElapsed(step: ProvisioningStep, state: StepState, now: number): number | undefined {
	if (step.startedAt === undefined) return undefined;
	if (state === 'running') return Math.max(0, now - step.startedAt);
	return stepDuration(step);
}

export function stepDuration(step: ProvisioningStep): number | undefined {
	if (step.startedAt === undefined || step.completedAt === undefined) return undefined;
	const ms = step.completedAt - step.startedAt;
	return ms >= 0 ? ms : undefined;
}

function estimateRemaining(steps: readonly StepProgress[]): number | undefined {
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
 * Whether provisioning is over. A computer in `error` leaves later steps pending forever; an `active` one may
 * still have a pending step: an accepted install retry that hasn't started.
 */
function isOver(computer: Computer, steps: readonly StepProgress[]): boolean {
	if (computer.status === 'provisioning') return false;
	if (steps.some(step => step.state === 'running')) return false;
	return computer.status === 'error' || steps.every(step => step.state !== 'pending');
}

/** The dependency install step: the one with its own session, otherwise the one with that name. */
export function installStep(computer: Computer): ProvisioningStep | undefined {
	const steps = computer.provisioningSteps ?? [];
	return (
		steps.findLast(step => step.installSessionId !== undefined) ??
		steps.findLast(step => /install|dependenc|\bdeps\b/i.test(step.name ?? ''))
	);
}

/** Whether the install can be retried, or why not. `computer` is undefined if it was never read. */
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
	done: 'The dependency install is done: only a failed one is run again.',
	skipped: 'The dependency install was skipped.',
};

/** Merges in a newer snapshot; one without steps keeps the last known ones. */
export function mergeComputer(previous: Computer | undefined, next: Computer): Computer {
	if (next.provisioningSteps !== undefined || previous?.provisioningSteps === undefined) return next;
	return {...next, provisioningSteps: previous.provisioningSteps};
}

/** How much of an error's end is searched, UTF-16 units. */
const maxSearched = 10_000;
/** What sets colors, or moves within a line. */
const sequence = /\u001b\[[\d;]{0,60}[mGK]/g;

/** A failure of a computer's provisioning: of the first step that failed. */
type ComputerFailure = {
	/** The step and the most telling line of its error, without secrets; absent if the service gives neither. */
	readonly reason?: string;
	/** When it failed, Unix ms, if the service says. */
	readonly since?: number;
	/** Distinguishes it from the computer's other failures (`episodeOf`). */
	readonly episode: string;
	/** Its provisioning hasn't failed, but seems not to go on. */
	readonly isStuck?: true;
};

/** Tools print progress before the error, as git does: "Cloning into 'error-pages'...". */
export function tellingLine(error = ''): string | undefined {
	const lines = error
		.slice(-maxSearched)
		.replace(sequence, '')
		.trim()
		.split(/[\r\n]+/);
	const telling = /\b(?:fatal|errors?|failed|denied|not found)\b/i;
	return (
		lines.find(line => telling.test(line) && !line.trimEnd().endsWith('...')) ??
		lines.at(error.length > maxSearched ? -1 : 0)
	);
}

/** A computer's failure; undefined if its provisioning hasn't failed, or is being retried. */
export function failureOf(computer: Computer | undefined): ComputerFailure | undefined {
	const step = computer?.provisioningSteps?.find(one => stepState(one).state === 'failed');
	if (!step && computer?.status !== 'error') return undefined;
	const reason = maskText([step?.name, tellingLine(step?.error)].filter(Boolean).join(': '));
	const since = step?.completedAt ?? step?.startedAt;
	const known = {reason: reason || undefined, since};
	return {...known, episode: episodeOf({state: 'failed', ...known})};
}

const minute = 60_000;
/** A step counts as stuck once it runs this many times as long as usual, and for ten minutes. */
const stuckFactor = 3;
const minStuck = 10 * minute;
/** The same for a computer whose provisioning shows no change. */
const maxUnchanged = 60 * minute;

/** Median duration of a step's past runs, ms; undefined if there are none. */
export type Median = (stepName: string) => number | undefined;

/** Why a computer needs the user, as last read: its provisioning has failed, or seems not to go on. */
export function troubleOf({computer, fetchedAt}: KnownComputer, median: Median): ComputerFailure | undefined {
	const failure = failureOf(computer);
	if (failure || computer?.status !== 'provisioning' || fetchedAt === undefined) return failure;
	const {current, steps} = progress(computer, median, fetchedAt);
	const times = steps.flatMap(({step}) => [step.startedAt ?? 0, step.completedAt ?? 0]);
	const changedAt = highest([computer.createdAt ?? 0, ...times]);
	const {usual = Number.POSITIVE_INFINITY, elapsed = 0} = current ?? {};
	const isSlow = current?.state === 'running' && elapsed >= Math.max(minStuck, stuckFactor * usual);
	if (!isSlow && (changedAt === 0 || fetchedAt - changedAt < maxUnchanged)) return undefined;
	const why = isSlow ? 'takes far longer than usual' : 'no change for over an hour';
	const reason = maskText(current?.step.name ? `${current.step.name}: ${why}` : why);
	const known = {reason, since: isSlow ? (current.step.startedAt ?? changedAt) : changedAt};
	return {...known, isStuck: true, episode: episodeOf({state: 'stuck', ...known})};
}
