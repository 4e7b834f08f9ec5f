import {episodeOf} from '../sessions/attention.ts';
import type {Computer} from './computer.ts';
import {stepState} from './provisioning.ts';

/** A failure of a computer's provisioning: of the first step that failed. */
export type ComputerFailure = {
	/** The step and the first line of its error, raw; absent if the service tells neither. */
	readonly reason?: string;
	/** When it failed, Unix ms, if the service tells. */
	readonly since?: number;
	/** Distinguishes it from the computer's other failures (`episodeOf`). */
	readonly episode: string;
};

/** A computer's failure; undefined if its provisioning hasn't failed, or is being retried. */
export function failureOf(computer: Computer | undefined): ComputerFailure | undefined {
	const step = computer?.provisioningSteps?.find(one => stepState(one).state === 'failed');
	if (!step && computer?.status !== 'error') return undefined;
	const error = step?.error?.trim().split('\n', 1)[0];
	const reason = [step?.name, error].filter(Boolean).join(': ');
	const since = step?.completedAt ?? step?.startedAt;
	const known = {...(reason && {reason}), ...(since !== undefined && {since})};
	return {...known, episode: episodeOf({state: 'failed', ...known})};
}
