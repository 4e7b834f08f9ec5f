import type {KnownComputer} from '../known.ts';
import {highest} from '../large-arrays.ts';
import {maskText} from '../masking.ts';
import {episodeOf} from '../sessions/attention.ts';
import type {Computer} from './computer.ts';
import {progress, stepState} from './provisioning.ts';

/** How much of an error's end is searched, UTF-16 units. */
const maxSearched = 10_000;
/** What sets colors, or moves within a line. */
const sequence = /\u001b\[[\d;]{0,60}[mGK]/g;

/** A failure of a computer's provisioning: of the first step that failed. */
export type ComputerFailure = {
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
