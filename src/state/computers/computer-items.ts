import {type Median, progress, troubleOf} from '../../domain/computers/provisioning.ts';
import type {KnownComputer} from '../../domain/known.ts';
import {type AttentionMark, subjectKey} from '../../domain/sessions/attention.ts';
import type {Fleet, Problem} from '../fleet.ts';
import {rememberEach} from '../rows/remember.ts';
import {computerNames, shortId} from '../sessions/session-items.ts';
import type {Attention} from '../stores.ts';

/** One computer as listed. Text is raw. */
export type ComputerItem = {
	readonly kind: 'computer';
	readonly id: string;
	readonly name: string;
	readonly known: KnownComputer;
	/** Its provisioning failed: it needs the user until they have acknowledged it. */
	readonly isFailed: boolean;
	/** Its provisioning seems not to go on, which needs the user likewise. */
	readonly isStuck?: true;
	/** When it failed or got stuck (Unix ms), if the service reports it. */
	readonly since?: number;
	/** The failed step and its error, or why it counts as stuck. */
	readonly reason?: string;
	/** The episode (`episodeOf`), while it is failed or stuck. */
	readonly episode?: string;
	/** How the user handled the episode, if they did. */
	readonly mark?: AttentionMark;
	/** Just created, or this machine at its first start, and not yet returned by the service. */
	readonly isStarting?: boolean;
	/** The service doesn't have it. */
	readonly isMissing?: boolean;
};

/** All known computers, in the order of their states; those of one state newest first. */
export function computerItems(
	{computers, problems}: Pick<Fleet, 'computers' | 'problems'>,
	marks?: Attention['marks'],
	median: Median = () => undefined,
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
				...troubleOfItem(known, marks, median),
				...presenceOf(known, problems.get(known.id)),
			}),
		)
		.map(item => ({item, state: computerStates.indexOf(conditionOf(item).state)}))
		.sort((a, b) => a.state - b.state || newestFirst(a.item, b.item))
		.map(({item}) => item);
}

function newestFirst(a: ComputerItem, b: ComputerItem): number {
	return b.known.addedAt - a.known.addedAt || (a.id < b.id ? -1 : 1);
}

function presenceOf(
	{origin, computer}: KnownComputer,
	problem: Problem | undefined,
): Pick<ComputerItem, 'isStarting' | 'isMissing'> {
	const isStarting = problem ? problem.isStarting : origin === 'local' && computer === undefined;
	return {isStarting, isMissing: problem?.isMissing};
}

function troubleOfItem(
	known: KnownComputer,
	marks: Attention['marks'] | undefined,
	median: Median,
): Partial<ComputerItem> {
	const trouble = troubleOf(known, median);
	if (!trouble) return {};
	const mark = marks?.get(subjectKey({kind: 'computer', id: known.id}));
	const isMarked = mark?.episode === trouble.episode;
	return {isFailed: !trouble.isStuck, ...trouble, mark: isMarked ? mark : undefined};
}

/** Computer states as displayed, most urgent first. `raw` is an unknown status word. */
export const computerStates = [
	'error',
	'failed',
	'missing',
	'starting',
	'provisioning',
	'raw',
	'unread',
	'active',
] as const;
export type ComputerState = (typeof computerStates)[number];

export type ComputerCondition = {
	readonly state: ComputerState;
	/** Number of successfully finished steps. */
	readonly done: number;
	readonly total: number;
};

/** A computer's state and steps, independent of the current time. */
export function conditionOf(item: ComputerItem): ComputerCondition {
	const condition = evaluate(item.known);
	if (item.isMissing) return {...condition, state: 'missing'};
	return item.isStarting ? {...condition, state: 'starting'} : condition;
}

/** Computers are immutable, so each is evaluated once. */
const evaluate = rememberEach(({computer}: ComputerItem['known']): ComputerCondition => {
	if (!computer) return {state: 'unread', done: 0, total: 0};
	const {done, total, failed, current, isSettled} = progress(computer, () => undefined, 0);
	const state = (): ComputerState => {
		if (computer.status === 'error') return 'error';
		// On an active computer, steps pending after a failed one may never run.
		if (computer.status === 'active' && failed && current?.state !== 'running') return 'failed';
		if (computer.status === 'provisioning' || (total > 0 && !isSettled)) return 'provisioning';
		if (failed) return 'failed';
		return computer.status === 'active' ? 'active' : 'raw';
	};
	return {state: state(), done, total};
});
