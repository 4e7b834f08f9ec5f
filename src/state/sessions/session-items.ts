import type {Computer} from '../../domain/computers/computer.ts';
import {stepState} from '../../domain/computers/provisioning.ts';
import {isArchived, isOutsideService, type KnownSession} from '../../domain/known.ts';
import {maskText} from '../../domain/masking.ts';
import type {SessionActivity} from '../../domain/sessions/activity.ts';
import {type AttentionMark, episodeOf} from '../../domain/sessions/attention.ts';
import type {HookRequest} from '../../domain/sessions/hook-request.ts';
import type {Session} from '../../domain/sessions/session.ts';
import {successorCheck} from '../../domain/sessions/session-successor.ts';
import type {Signal} from '../../domain/sessions/signal.ts';
import {limitEnd} from '../../domain/sessions/usage-limit.ts';
import {installSteps} from '../computers/install-steps.ts';
import type {Fleet} from '../fleet.ts';
import {rememberEach} from '../rows/remember.ts';
import type {Attention, Outbox} from '../stores.ts';
import type {Stream} from '../stream.ts';
import type {Grouping} from './session-groups.ts';
import {compareSessions, type SessionSort, type Sortable, sortable} from './session-sort.ts';
import {isUnsent, type ReportedState, type SessionState, sessionState, turnState} from './session-state.ts';
import {type SharedFiles, sharedFiles} from './shared-files.ts';

/** Groups of the session lists, in display order. `seen` needs the user, but was acknowledged or snoozed. */
const attentionGroups = ['needs', 'seen', 'working', 'idle', 'ended'] as const;
type AttentionGroup = (typeof attentionGroups)[number];

/** One session as listed. Text is raw and sanitized when drawn. */
export type SessionItem = ReportedState & {
	readonly kind: 'session';
	readonly id: string;
	readonly group: AttentionGroup;
	/** The activity derived from the session's messages, if they have been read. */
	readonly activity?: SessionActivity;
	readonly name: string;
	readonly computerId?: string;
	/** Raw; absent if its computer has no name. For a session of this machine's clients, see `thisMachine`. */
	readonly computerName?: string;
	readonly isPinned?: boolean;
	/** Whether a message to it waits on this machine. */
	readonly hasQueued?: boolean;
	/** The episode (`episodeOf`), while the session needs the user. */
	readonly episode?: string;
	/** How the user handled the episode, if they did. */
	readonly mark?: AttentionMark;
	/** Set if the session is known only from its client's hooks or files, so nothing can be read from the service. */
	readonly client?: string;
	/** Working directory on this machine; set along with `client`, empty if no event reported it. */
	readonly folder?: string;
	/** The oldest request whose hook waits for an answer. */
	readonly request?: HookRequest;
	/** When the usage limit that its turn failed by ends, Unix ms. */
	readonly limitedUntil?: number;
	/** The names of sessions in other work trees that change the same files. */
	readonly shared?: SharedFiles;
	/** Hidden by default: archived, or ended on this machine. */
	readonly isPast?: boolean;
	readonly known?: KnownSession;
	readonly signal?: Signal;
};

/** Inputs to list ordering: sort order, grouping and the user's attention marks. */
export type SessionOrder = {
	readonly sort?: SessionSort;
	readonly grouping?: Grouping;
	readonly marks?: Attention['marks'];
	/** Whether a session whose agent is done needs the user until they have read its answer; default true. */
	readonly unreadNeedsYou?: boolean;
	/** The service has been out for a while: what its sessions do is no longer known. Default false. */
	readonly isServiceGone?: boolean;
};

/** All sessions from the registry and hook events, in the order of `compareSessions`. */
export function sessionItems(
	fleet: Pick<Fleet, 'computers' | 'sessions' | 'signals'> & Partial<Pick<Fleet, 'requests' | 'problems'>>,
	outbox: Outbox,
	{
		sort = 'attention',
		grouping = 'state',
		marks,
		unreadNeedsYou = true,
		isServiceGone = false,
	}: SessionOrder = {},
): SessionItem[] {
	const signals = newestSignals(fleet.signals.values());
	// A message may also have failed to a session that nothing else mentions.
	const unsent = [...outbox.bySession].flatMap(([id, items]) => (items.some(isUnsent) ? [id] : []));
	const requests = oldestRequests(fleet.requests?.values() ?? []);
	const ids = new Set([...fleet.sessions.keys(), ...signals.keys(), ...unsent]);
	const hasSuccessor = successorCheck(fleet.signals.values());
	const computers = computerNames(fleet.computers);
	const here = thisMachine(fleet.computers);
	const installs = installSteps(fleet.computers);
	const conversations = new Set([...fleet.sessions.values()].map(({session}) => session?.conversation));
	const allShared = sharedFiles(fleet.sessions);
	const withNames = (shared: SharedFiles): SharedFiles => {
		const name = (id: string) => nameOf(id, fleet.sessions.get(id), signals.get(id), undefined);
		return new Map([...shared].map(([path, ids]) => [path, ids.map(name)]));
	};
	const rows: Sortable[] = [];
	for (const id of ids) {
		const known = fleet.sessions.get(id);
		const signal = signals.get(id);
		if (signal?.state === 'replaced' && hasSuccessor(signal)) continue;
		const request = requests.get(id);
		const hasQueued = outbox.bySession.get(id)?.some(({state}) => state === 'queued');
		const step = installs.get(id);
		const install = step && !fleet.problems?.has(step.computer.id) ? step : undefined;
		const computerId = known?.computerId ?? known?.session?.computerId;
		const isReadable = !fleet.problems?.has(computerId ?? '');
		const computer = isReadable ? fleet.computers.get(computerId ?? '')?.computer : undefined;
		const state = sessionState({known, signal, outbox: outbox.bySession.get(id), request, install});
		const isIdle = state.state === 'done' && !unreadNeedsYou;
		const isLost = (isServiceGone && !isOutsideService(known)) || computer?.unreachableSince !== undefined;
		const reported = onComputer(isIdle ? {...state, state: 'idle'} : state, known, computer, isLost);
		// An account without that computer knows it from its hooks alone.
		const isLocal = isOutsideService(known) && signal !== undefined;
		const computerName =
			computers.get(computerId ?? '') ?? signal?.computer?.name ?? (isLocal ? here : undefined);
		const attention = attentionOf(id, reported, marks, request !== undefined);
		const {group} = attention;
		const isOver = group !== 'needs' && isLocal && hasEnded(signal);
		// A session of the service continues it, and has its messages.
		if (isOver && conversations.has(id)) continue;
		const isPast = isOver || (group !== 'needs' && isArchived(known));
		const name = nameOf(id, known, signal, computerName);
		const shared = allShared.get(id);
		const limitedUntil = limitEndOf(reported, known?.session, !computer?.host && !signal?.computer);
		const item: SessionItem = {
			...reported,
			...attention,
			kind: 'session',
			id,
			name,
			computerId,
			computerName,
			isPinned: known?.pinned,
			hasQueued,
			client: isLocal ? signal.client || 'agent' : undefined,
			folder: isLocal ? (known?.cwd ?? signal.cwd ?? '') : undefined,
			shared: shared && withNames(shared),
			limitedUntil,
			isPast,
			activity: known?.activity,
			known,
			signal,
			request,
		};
		const madeAt = known?.session?.createdAt ?? known?.addedAt ?? signal?.since ?? 0;
		rows.push(
			sortable(
				item,
				{sort, grouping},
				{rank: rank(group), madeAt, activeAt: sort === 'name' ? 0 : (lastActivityOf(item) ?? madeAt)},
			),
		);
	}
	return rows.sort(compareSessions(sort)).map(({item}) => item);
}

function limitEndOf(
	{state, source, reason, since}: ReportedState,
	session: Session | undefined,
	isHere: boolean,
): number | undefined {
	if (state !== 'error' || source === 'step') return undefined;
	if (session?.limitedUntil !== undefined) return session.limitedUntil;
	return reason === undefined || since === undefined ? undefined : limitEnd(reason, since, isHere);
}

/** Whether its turn failed at the service, so that a message lets the agent go on. */
export function hasFailedTurn({state, source, client}: SessionItem): boolean {
	return state === 'error' && source !== 'step' && client === undefined;
}

/** Those of the sessions that the same usage limit stops: of one login, which sessions of one agent on one computer share. */
export function limitedTogether(
	items: readonly SessionItem[],
	item: SessionItem,
	now: number,
): readonly SessionItem[] {
	if (!isLimited(item, now)) return [];
	return items.filter(
		one => hasFailedTurn(one) && isLimited(one, now) && loginOf(one) === loginOf(item) && !one.isPast,
	);
}

export function isLimited({limitedUntil = 0}: Pick<SessionItem, 'limitedUntil'>, now: number): boolean {
	return limitedUntil > now;
}

function loginOf({known, computerId}: SessionItem): string {
	const agent = known?.session?.agent;
	// A service that names no agents has one login for all.
	return agent === undefined ? '' : `${computerId ?? ''} ${agent}`;
}

/** Whether its agent waits for the answer to a request, by its hook or its messages. */
export function isRequesting({activity, client, state, request, signal}: SessionItem): boolean {
	if (request) return true;
	// Hooks on another computer are asked by the service.
	if (client !== undefined && signal?.computer) return state === 'permission';
	return (
		client === undefined && activity?.evidence === 'request' && (state === 'permission' || state === 'input')
	);
}

/** The item with what its agent does, in place of an undelivered message. */
export function withTurn(item: SessionItem): SessionItem {
	const {state, known, signal} = item;
	return state === 'unsent' ? {...item, ...turnState({known, signal})} : item;
}

/** Whether its agent is at work or waits for an answer. */
export function isTurnRunning(item: SessionItem): boolean {
	const turn = withTurn(item);
	return turn.state === 'working' || turn.state === 'pending' || isRequesting(turn);
}

/** Time of a session's last activity by messages or hooks, Unix ms; without any, when the service last changed it. */
export function lastActivityOf({known, signal}: SessionItem): number | undefined {
	const session = known?.session;
	const at = Math.max(known?.activity?.at ?? 0, signal?.lastEventAt ?? 0);
	return at > 0 ? at : (session?.updatedAt ?? session?.createdAt);
}

/** What the state of its computer adds to a session's. */
function onComputer(
	reported: ReportedState,
	known: KnownSession | undefined,
	computer: Computer | undefined,
	isLost: boolean,
): ReportedState {
	if (isLost) return {...reported, isUnreachable: true};
	return withWait(reported, known, computer);
}

/** A message that nobody has answered waits for the session's computer while that is provisioned. */
function withWait(
	reported: ReportedState,
	known: KnownSession | undefined,
	computer: Computer | undefined,
): ReportedState {
	const {state, source} = reported;
	// By the messages, or by the service's own word for a session whose newest message is the user's.
	const isInferred = source === 'activity' || (source === 'updated' && state === 'pending');
	const isUnanswered = source === 'posted' || (isInferred && known?.activity?.evidence === 'user-message');
	const isBusy = state === 'working' || state === 'pending';
	if (!isBusy || !isUnanswered || computer?.status !== 'provisioning') return reported;
	const step = computer.provisioningSteps?.find(one => stepState(one).state === 'running')?.name;
	return {
		...reported,
		state: 'pending',
		reason: `waiting for the computer${step ? `: ${maskText(step)}` : ''}`,
	};
}

/** Whether the session needs the user, and how they handled it. Marks of other episodes are ignored. */
function attentionOf(
	id: string,
	reported: ReportedState,
	marks: Attention['marks'] | undefined,
	hasRequest: boolean,
): Pick<SessionItem, 'group' | 'episode' | 'mark'> {
	const group = groups[reported.state];
	if (reported.isSettled || (reported.isUnreachable && group === 'working')) return {group: 'idle'};
	if (group !== 'needs') return {group};
	const {state, since} = reported;
	// The reason for an undelivered message changes while it is looked for.
	const isUnsent = state === 'unsent' && since !== undefined;
	// Episodes are stored, but the text of a hook's request must not be.
	const episode = episodeOf(isUnsent ? {state, since} : hasRequest ? {...reported, reason: ''} : reported);
	const mark = marks?.get(id);
	return mark?.episode === episode ? {group: 'seen', episode, mark} : {group, episode};
}

/** Whether the client reported the end. Sessions that ended with an error, or were killed, stay visible. */
function hasEnded({state, reason}: Signal): boolean {
	return (state === 'ended' || state === 'replaced') && reason !== 'error' && reason !== 'killed';
}

const groups: Readonly<Record<SessionState, AttentionGroup>> = {
	permission: 'needs',
	input: 'needs',
	error: 'needs',
	unsent: 'needs',
	done: 'needs',
	working: 'working',
	pending: 'working',
	idle: 'idle',
	unknown: 'idle',
	raw: 'idle',
	ended: 'ended',
};

const rank = (group: AttentionGroup) => attentionGroups.indexOf(group);

function oldestRequests(requests: Iterable<HookRequest>): Map<string, HookRequest> {
	const oldest = new Map<string, HookRequest>();
	for (const request of requests) if (!oldest.has(request.sessionId)) oldest.set(request.sessionId, request);
	return oldest;
}

function newestSignals(signals: Iterable<Signal>): Map<string, Signal> {
	const newest = new Map<string, Signal>();
	for (const signal of signals) {
		const other = newest.get(signal.sessionId);
		if (!other || other.lastEventAt < signal.lastEventAt) newest.set(signal.sessionId, signal);
	}
	return newest;
}

function nameOf(
	id: string,
	known: KnownSession | undefined,
	signal: Signal | undefined,
	computerName: string | undefined,
): string {
	if (known?.name) return known.name;
	const title = known?.session?.title?.trim();
	if (title) return title;
	if (known?.origin === 'install-step') return computerName ? `Install on ${computerName}` : 'Install output';
	const words = known?.activity?.title ?? known?.subject ?? signal?.title;
	if (words) return words;
	const folder = baseName(known?.cwd ?? signal?.cwd);
	if (isOutsideService(known) && signal) return [signal.client || 'agent', folder ?? shortId(id)].join(' ');
	return folder ?? shortId(id);
}

function baseName(path: string | undefined): string | undefined {
	const name = path?.split(/[/\\]/).findLast(part => part !== '');
	return name === undefined || name === '' ? undefined : name;
}

/** The start of an id, enough to distinguish it on screen. */
export function shortId(id: string): string {
	return id.length > 10 ? id.slice(0, 8) : id;
}

/** The display name of each named computer; computers that share a name show their ids, too. */
export const computerNames = rememberEach((computers: Fleet['computers']): ReadonlyMap<string, string> => {
	const byName = Map.groupBy(computers.values(), ({computer}) => computer?.name);
	return new Map([...byName].flatMap(([name, group]) => (name ? namesBeside(name, group) : [])));
});

/** What this machine is called: as its computer in the embedded service, unless it is several. */
function thisMachine(computers: Fleet['computers']): string {
	const own = [...computers.values()].filter(({origin, computer}) => origin === 'local' && !computer?.host);
	return (own.length === 1 && computerNames(computers).get(own[0]?.id ?? '')) || 'this machine';
}

/** The display name of a computer; its id if it has no name. */
export function computerName(computers: Fleet['computers'], id: string): string {
	return computerNames(computers).get(id) ?? id;
}

type WithId = {readonly id: string};

function namesBeside(name: string, computers: readonly WithId[]): (readonly [string, string])[] {
	const isShortEnough = new Set(computers.map(({id}) => shortId(id))).size === computers.length;
	const suffix = ({id}: WithId) => (computers.length === 1 ? '' : ` ${isShortEnough ? shortId(id) : id}`);
	return computers.map(one => [one.id, `${name}${suffix(one)}`]);
}

/**
 * Whether a session runs outside the service: known by hook events only, and without messages in the service. Nobody can
 * write to it here, and only its transcript can be read. Counts as outside until the service has answered.
 */
export function runsOutside(
	item: Pick<SessionItem, 'client'> | undefined,
	stream: Stream | undefined,
): boolean {
	if (item?.client === undefined) return false;
	if (stream === undefined || stream.transcript) return true;
	return stream.phase.name !== 'ready' && stream.entries.length === 0;
}
