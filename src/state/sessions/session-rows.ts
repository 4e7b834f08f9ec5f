import {leastMessagesOf, messageCountOf} from '../../domain/known.ts';
import {asksForPast, type Filter, isMatch, parseFilter} from '../../domain/list-filter/filter.ts';
import type {Session} from '../../domain/sessions/session.ts';
import type {Filterables} from '../lists/list-filtering.ts';
import type {Lists} from '../lists/lists.ts';
import {rememberLast} from '../rows/remember.ts';
import {largestFirst, naturalKey, type SortKey, sortRows} from '../rows/table-rows.ts';
import type {SessionsViewState, SessionTableOrder} from '../view/view-states.ts';
import {lastActivityOf, type SessionItem} from './session-items.ts';
import type {SessionState} from './session-state.ts';

/** One row of the sessions table. Undefined fields are unknown. */
export type SessionRow = {
	readonly item: SessionItem;
	readonly computer?: string;
	readonly model?: string;
	/** As the service last reported it, or as many as are known, if that is more. */
	readonly messages?: number;
	/** Whether messages have arrived since. */
	readonly hasMoreMessages: boolean;
	readonly unread?: number;
	/** Whether there may be more unread messages than were counted. */
	readonly isUnreadPartial: boolean;
	/** Input and output tokens, including child sessions if the service reports them. */
	readonly tokens?: number;
	/** Time of the last activity, Unix ms (`lastActivityOf`). */
	readonly activeAt?: number;
	readonly tags: readonly string[];
};

export type SessionTableQuery = Pick<SessionsViewState, 'words' | 'order' | 'isReversed'> & {
	/** Whether archived and ended sessions are included though the filter doesn't ask for them. */
	readonly showsArchived: boolean;
};

/**
 * Filters and sorts the sessions; ties keep list order. Takes time proportional to the number of sessions:
 * call it once per change, not per key press.
 */
function sessionRows(
	all: Lists['all'],
	{words, order, isReversed, showsArchived}: SessionTableQuery,
	filterables: Filterables,
): readonly SessionRow[] {
	const filter = sessionsFilter(all, words);
	const includesPast = showsArchived || asksForPast(filter);
	const rows = all.sessions
		.filter(item => (includesPast || !item.isPast) && isMatch(filter, filterables.session(item)))
		.map(rowOf);
	return sortRows(rows, row => keyOf(row, order), isReversed);
}

/** Remembers the rows while sessions, filter and order are the same. */
export function createSessionTable() {
	const remembered = rememberLast<readonly SessionRow[]>();
	return (all: Lists['all'], query: SessionTableQuery, filterables: Filterables): readonly SessionRow[] =>
		remembered([all, query.words, query.order, query.isReversed, query.showsArchived], () =>
			sessionRows(all, query, filterables),
		);
}

/** Parses the view's filter. An unknown service status counts as a state of its own. */
export function sessionsFilter({sessions}: Pick<Lists['all'], 'sessions'>, words: string): Filter {
	return parseFilter(
		words,
		sessions.flatMap(({word}) => word?.toLowerCase() ?? []),
	);
}

/** The model of a session: the one that was chosen, otherwise the one that answered last. */
export function modelOf(session: Session | undefined): string | undefined {
	const {model, tokenUsage} = session?.sessionSettings ?? {};
	return model ?? tokenUsage?.models?.at(-1);
}

function rowOf(item: SessionItem): SessionRow {
	const {known, activity, client} = item;
	const session = known?.session;
	const settings = session?.sessionSettings;
	const computer = item.computerName ?? item.computerId ?? client;
	const {inputTokens, outputTokens} = settings?.inclusiveTokenUsage ?? settings?.tokenUsage ?? {};
	const model = modelOf(session);
	const hasTokens = inputTokens !== undefined || outputTokens !== undefined;
	const activeAt = lastActivityOf(item);
	const messages = leastMessagesOf(known);
	return {
		item,
		hasMoreMessages: messages !== messageCountOf(known),
		isUnreadPartial: activity?.isUnreadPartial === true,
		tags: (settings?.tags ?? []).map(({name}) => name),
		...(computer !== undefined && {computer}),
		...(model && {model}),
		...(messages !== undefined && {messages}),
		...(activity && {unread: activity.unread}),
		...(hasTokens && {tokens: (inputTokens ?? 0) + (outputTokens ?? 0)}),
		...(activeAt !== undefined && {activeAt}),
	};
}

/** States, most urgent first. `unknown` isn't among them and comes last. */
const states: readonly SessionState[] = [
	'permission',
	'input',
	'error',
	'unsent',
	'your-turn',
	'working',
	'pending',
	'done',
	'idle',
	'raw',
	'ended',
];

/** Sorts by state; acknowledged, snoozed and read sessions come after all that need the user. */
function urgency({state, mark, isRead}: SessionItem): number | undefined {
	const position = states.indexOf(state);
	if (position < 0) return undefined;
	return mark || isRead ? states.indexOf('your-turn') + 0.5 : position;
}

/** The sort key, ascending: most urgent, most or newest first. */
function keyOf(row: SessionRow, order: SessionTableOrder): SortKey {
	switch (order) {
		case 'state':
			return urgency(row.item);
		case 'title':
			return naturalKey(row.item.name);
		case 'computer':
			return naturalKey(row.computer);
		case 'model':
			return naturalKey(row.model);
		case 'messages':
			return largestFirst(row.messages);
		case 'unread':
			return largestFirst(row.unread);
		case 'tokens':
			return largestFirst(row.tokens);
		case 'activity':
			return largestFirst(row.activeAt);
		case 'tags':
			return naturalKey(row.tags.join(' '));
	}
}
