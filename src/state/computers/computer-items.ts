import {failureOf} from '../../domain/computers/failure.ts';
import type {KnownComputer} from '../../domain/known.ts';
import {type AttentionMark, subjectKey} from '../../domain/sessions/attention.ts';
import type {Attention} from '../attention.ts';
import type {Fleet, Problem} from '../fleet.ts';
import {computerNames, shortId} from '../sessions/session-items.ts';

/** One computer as listed. Text is raw. */
export type ComputerItem = {
	readonly kind: 'computer';
	readonly id: string;
	readonly name: string;
	readonly known: KnownComputer;
	/** Its provisioning failed: it needs the user until they have acknowledged it. */
	readonly isFailed: boolean;
	/** When it failed (Unix ms), if the service reports it. */
	readonly since?: number;
	/** The failed step and its error. */
	readonly reason?: string;
	/** The episode (`episodeOf`), while it is failed. */
	readonly episode?: string;
	/** How the user handled the episode, if they did. */
	readonly mark?: AttentionMark;
	/** Just created, or this machine at its first start, and not yet returned by the service. */
	readonly isStarting?: boolean;
	/** The service doesn't have it. */
	readonly isMissing?: boolean;
};

/** All known computers, newest first. */
export function computerItems(
	{computers, problems}: Pick<Fleet, 'computers' | 'problems'>,
	marks?: Attention['marks'],
): ComputerItem[] {
	const names = computerNames(computers);
	// The embedded service tells its id before its name.
	const isFirst = computers.size === 1 && [...computers.values()][0]?.origin === 'local';
	return [...computers.values()]
		.map(
			(known): ComputerItem => ({
				kind: 'computer',
				id: known.id,
				name: names.get(known.id) ?? (isFirst ? 'this machine' : shortId(known.id)),
				known,
				isFailed: false,
				...failureOfItem(known, marks),
				...presenceOf(known, problems.get(known.id)),
			}),
		)
		.sort((a, b) => b.known.addedAt - a.known.addedAt || (a.id < b.id ? -1 : 1));
}

function presenceOf(
	{origin, computer}: KnownComputer,
	problem: Problem | undefined,
): Pick<ComputerItem, 'isStarting' | 'isMissing'> {
	const isStarting = problem ? problem.isStarting : origin === 'local' && computer === undefined;
	return {...(isStarting && {isStarting}), ...(problem?.isMissing && {isMissing: true})};
}

function failureOfItem(
	{id, computer}: KnownComputer,
	marks: Attention['marks'] | undefined,
): Partial<ComputerItem> {
	const failure = failureOf(computer);
	if (!failure) return {};
	const mark = marks?.get(subjectKey({kind: 'computer', id}));
	return {isFailed: true, ...failure, ...(mark?.episode === failure.episode && {mark})};
}
