import {maskText} from '../masking.ts';
import {episodeOf} from '../sessions/attention.ts';
import type {Computer} from './computer.ts';
import {stepState} from './provisioning.ts';

/** How much of an error is searched, UTF-16 units. */
const maxSearched = 10_000;

/** A failure of a computer's provisioning: of the first step that failed. */
export type ComputerFailure = {
	/** The step and the most telling line of its error, without secrets; absent if the service gives neither. */
	readonly reason?: string;
	/** When it failed, Unix ms, if the service says. */
	readonly since?: number;
	/** Distinguishes it from the computer's other failures (`episodeOf`). */
	readonly episode: string;
};

/** Tools print progress before the error, as git does: "Cloning into 'error-pages'...". */
function tellingLine(error = ''): string | undefined {
	const lines = error.slice(0, maxSearched).trim().split('\n');
	const telling = /\b(?:fatal|errors?|failed|denied|not found)\b/i;
	return lines.find(line => telling.test(line) && !line.trimEnd().endsWith('...')) ?? lines[0];
}

/** A computer's failure; undefined if its provisioning hasn't failed, or is being retried. */
export function failureOf(computer: Computer | undefined): ComputerFailure | undefined {
	const step = computer?.provisioningSteps?.find(one => stepState(one).state === 'failed');
	if (!step && computer?.status !== 'error') return undefined;
	const reason = maskText([step?.name, tellingLine(step?.error)].filter(Boolean).join(': '));
	const since = step?.completedAt ?? step?.startedAt;
	const known = {...(reason && {reason}), ...(since !== undefined && {since})};
	return {...known, episode: episodeOf({state: 'failed', ...known})};
}
