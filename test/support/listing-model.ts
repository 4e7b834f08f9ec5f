import type {CallOptions, Client} from '../../src/api/client.ts';
import {AbortError, NotFoundError, RejectedError} from '../../src/api/errors.ts';
import type {MessageQuery} from '../../src/api/messages.ts';
import {createService, type Service} from '../../src/api/service.ts';
import type {Clock} from '../../src/domain/clock.ts';
import type {Computer} from '../../src/domain/computers/computer.ts';
import type {AddedMessage, Message, MessageRole} from '../../src/domain/messages/message.ts';
import type {Page} from '../../src/domain/page.ts';
import type {Session} from '../../src/domain/sessions/session.ts';
import {withCalls} from './with-calls.ts';

export type ModelOptions = {
	readonly clock: Clock;
	/** Which end the page without a cursor holds. */
	readonly pages: 'newest-first' | 'oldest-first';
	/** Order inside a page; by default, the same as of the pages. */
	readonly inside?: 'ascending' | 'descending';
	/** Time of each call, ms of the clock. */
	readonly latency?: number;
	/** Messages are as old as the clock says; otherwise they are weeks old when they come. */
	readonly isLive?: boolean;
};

/** One request as it came. */
export type ModelRequest = {readonly kind: string; readonly id: string; readonly query?: MessageQuery};

/** Listings held in memory, in either order, that count their requests and can be made to lag, refuse and fail. */
export type ListingModel = {
	readonly service: Service;
	readonly requests: ModelRequest[];
	/** Forgets the requests so far. */
	clear(): void;
	/** Most calls that were on their way at the same time. */
	readonly maxInFlight: number;
	readonly computers: Map<string, Computer>;
	/** Sessions that are at work; the others are idle. */
	readonly running: Set<string>;
	/** Adds messages at the newest end; only `role=` queries reveal the role. */
	add(sessionId: string, count: number, role?: MessageRole): readonly string[];
	edit(sessionId: string, id: string, text: string): void;
	/** New messages stay out of listings until this many ms have passed. */
	lag: number;
	/** The same for `role=` listings, in addition. */
	roleLag: number;
	/** Ids of all messages, oldest first. */
	ids(sessionId: string): readonly string[];
	/** The role of a message, which no plain listing contains. */
	roleOf(sessionId: string, id: string): MessageRole | undefined;
	/** Called before each answer; a throw is the answer. */
	intercept: (request: ModelRequest) => void;
	/** Changes a page of a listing before it is sent. */
	shape: (page: Page<Message>, query: MessageQuery) => Page<Message>;
	/** Most messages in each page of a listing, in turn: short and empty pages that say there is more. */
	pagesAre: readonly number[];
	/** Answers every `role=` query with all messages. */
	overlooksRole: boolean;
	/** Cursors given out before now are refused. */
	refuseCursors(): void;
};

type Row = {
	readonly position: number;
	message: Message;
	readonly role: MessageRole;
	readonly visibleAt: number;
};

export function listingModel({clock, pages, inside, latency = 0, isLive}: ModelOptions): ListingModel {
	const sessions = new Map<string, Row[]>();
	const requests: ModelRequest[] = [];
	const isTail = pages === 'newest-first';
	let position = 0;
	/** When the newest message was written: no two in the same millisecond. */
	let writtenAt = 0;
	let generation = 0;
	let turn = 0;
	let inFlight = 0;
	let maxInFlight = 0;

	const model: ListingModel = {
		service: withCalls(createService(noClient), {
			computers: {
				get: (id, options) => answer({kind: 'computer', id}, options, () => found(model.computers.get(id))),
			},
			users: {list: async () => ({items: [], hasMore: false, skipped: 0})},
			sessions: {
				update: (id, _patch, options) =>
					answer(
						{kind: 'probe', id},
						options,
						(): Session => ({
							sessionId: id,
							status: model.running.has(id) ? 'running' : 'idle',
							messageCount: rowsOf(id).length,
						}),
					),
			},
			runningService: {
				async changes() {
					throw new RejectedError('Changes are not told.', {hint: 'Read them.', status: 404});
				},
			},
			messages: {
				isAddIdempotent: async () => false,
				list: (id, query = {}, options) => answer({kind: 'list', id, query}, options, () => list(id, query)),
				add: (id, draft, options) =>
					answer({kind: 'add', id}, options, (): AddedMessage => {
						const [messageId = ''] = model.add(id, 1, 'user');
						model.edit(id, messageId, draft.text);
						return {messageId, status: 'running'};
					}),
			},
		}),
		requests,
		clear() {
			requests.length = 0;
		},
		get maxInFlight() {
			return maxInFlight;
		},
		computers: new Map(),
		running: new Set(),
		add(sessionId, count, role = 'assistant') {
			return Array.from({length: count}, (_, index) => {
				const id = `${sessionId}-${position}`;
				writtenAt = Math.max(writtenAt + 1, clock.now() - count + index + 1);
				const createdAt = isLive ? writtenAt : 1_790_000_000_000 + position * 1000;
				const message = {id, createdAt, content: [{text: id}]};
				rowsOf(sessionId).push({
					position: position++,
					message,
					role,
					visibleAt: clock.now() + model.lag,
				});
				return id;
			});
		},
		edit(sessionId, id, text) {
			const row = rowsOf(sessionId).find(one => one.message.id === id);
			if (row) row.message = {...row.message, content: [{text}]};
		},
		lag: 0,
		roleLag: 0,
		ids: sessionId => rowsOf(sessionId).map(({message}) => message.id),
		roleOf: (sessionId, id) => rowsOf(sessionId).find(row => row.message.id === id)?.role,
		intercept() {},
		shape: page => page,
		pagesAre: [],
		overlooksRole: false,
		refuseCursors() {
			generation++;
		},
	};

	function rowsOf(sessionId: string): Row[] {
		const rows = sessions.get(sessionId) ?? [];
		sessions.set(sessionId, rows);
		return rows;
	}

	function list(id: string, query: MessageQuery): Page<Message> {
		const {limit = 20, cursor, role} = query;
		const madeFor = `${role ?? 'any'},${limit},${query.computerId ?? ''}`;
		const isAsked = (row: Row) => !role || model.overlooksRole || row.role === role;
		const until = clock.now() - (role ? model.roleLag : 0);
		const rows = rowsOf(id).filter(row => row.visibleAt <= until && isAsked(row));
		const start = cursor === undefined ? undefined : parse(cursor, madeFor);
		const rest = (isTail ? rows.toReversed() : rows).filter(
			row => start === undefined || (isTail ? row.position < start : row.position > start),
		);
		const max = model.pagesAre[turn++ % model.pagesAre.length] ?? limit;
		const page = rest.slice(0, Math.min(limit, max));
		const hasMore = rest.length > page.length;
		// An empty page has a cursor of its own: it stands where the page before it ended.
		const at = page.at(-1)?.position ?? start ?? (isTail ? position : -1);
		const isTurned = inside !== undefined && (inside === 'descending') !== isTail;
		const items = page.map(row => row.message);
		return model.shape(
			{
				items: isTurned ? items.reverse() : items,
				hasMore,
				skipped: 0,
				...(hasMore && {nextCursor: `${generation}/${madeFor}/${at}/${turn}`}),
			},
			query,
		);
	}

	/** A cursor is good for the parameters that it was made for. */
	function parse(cursor: string, parameters: string): number {
		const [madeIn, madeFor, at] = cursor.split('/');
		if (Number(madeIn) !== generation || madeFor !== parameters) {
			throw new RejectedError('The cursor is not known.', {hint: 'Start again.', status: 400});
		}
		return Number(at);
	}

	function passTime(signal?: AbortSignal): Promise<void> {
		return new Promise<void>((resolve, reject) => {
			let cancel = () => {};
			const abort = () => {
				cancel();
				reject(new AbortError(true));
			};
			signal?.addEventListener('abort', abort);
			const arrive = () => {
				signal?.removeEventListener('abort', abort);
				resolve();
			};
			if (latency > 0) cancel = clock.after(latency, arrive);
			else setImmediate(arrive);
		});
	}

	async function answer<T>(request: ModelRequest, {signal}: CallOptions = {}, make: () => T): Promise<T> {
		requests.push(request);
		inFlight++;
		maxInFlight = Math.max(maxInFlight, inFlight);
		try {
			await passTime(signal);
			model.intercept(request);
			return make();
		} finally {
			inFlight--;
		}
	}

	return model;
}

export function notFound(): NotFoundError {
	return new NotFoundError('There is no such thing.', {hint: 'Check the id.', status: 404});
}

function found<T>(value: T | undefined): T {
	if (value === undefined) throw notFound();
	return value;
}

/** Fails every call that is not modeled. */
const noClient: Client = {
	async call() {
		throw new Error('The model has no such call.');
	},
	now: Date.now,
	async close() {},
};
