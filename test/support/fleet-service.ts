import {randomUUID} from 'node:crypto';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {onTestFinished} from 'vitest';
import type {Computer} from '../../src/domain/computers/computer.ts';
import type {ContentItem, MessageRole} from '../../src/domain/messages/message.ts';
import type {Session} from '../../src/domain/sessions/session.ts';

/** A message as the service keeps it; its role answers `role=` and is never shown. */
type FleetMessage = {
	readonly id: string;
	readonly role: MessageRole;
	readonly content: readonly ContentItem[];
	readonly createdAt: number;
	updatedAt?: number;
	isError?: boolean;
	isUserVisible?: boolean;
};

type FleetSession = Omit<Session, 'sessionId'> & {
	readonly messages: FleetMessage[];
	/** Ids of messages that are listed only once the listing is no longer late. */
	readonly posted: Set<string>;
	/** Whether changes of its settings are refused. */
	isReadOnly?: boolean;
};

/** A service on loopback with computers and sessions whose agents say what the test sets. */
export type FleetService = {
	readonly url: string;
	readonly computers: Map<string, Computer>;
	readonly sessions: Map<string, FleetSession>;
	/** `GET /api/v0/sessions/a/messages?limit=10`, in order, each with when it came (Unix ms). */
	readonly requests: {readonly line: string; readonly at: number}[];
	/** Answers of other endpoints, by path; a 404 without. */
	readonly elsewhere: Map<
		string,
		{readonly status?: number; readonly retryAfter?: number; readonly value: object}
	>;
	/** Status that every request is answered with, while it is set. */
	refusal?: {readonly status: number; readonly retryAfter?: number};
	/** While true, messages that are posted are accepted but not listed. */
	isListingLate?: boolean;
	/** While true, requests stay without an answer. */
	isHanging?: boolean;
	/** Whether an update that changes nothing is refused. */
	refusesProbes?: boolean;
	addSession(id: string, session?: Omit<Session, 'sessionId'>): void;
	/** Adds a message at the end of a session, `ago` ms in the past. */
	say(
		sessionId: string,
		role: MessageRole,
		content: string | readonly ContentItem[],
		options?: {readonly ago?: number; readonly isError?: boolean},
	): FleetMessage;
	close(): void;
};

export async function startFleetService({isOldestFirst = false, now = Date.now} = {}): Promise<FleetService> {
	const service: Omit<FleetService, 'url'> = {
		computers: new Map(),
		sessions: new Map(),
		requests: [],
		elsewhere: new Map(),
		addSession(id, session = {}) {
			service.sessions.set(id, {...session, messages: [], posted: new Set()});
		},
		say(sessionId, role, content, {ago = 0, isError} = {}) {
			const items = typeof content === 'string' ? [{id: 'text', text: content}] : content;
			const message: FleetMessage = {
				id: randomUUID(),
				role,
				content: items,
				createdAt: now() - ago,
				...(isError !== undefined && {isError}),
			};
			service.sessions.get(sessionId)?.messages.push(message);
			return message;
		},
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
	const server = createServer(async (request, response) => {
		const {method = '', url = ''} = request;
		service.requests.push({line: `${method} ${url}`, at: Date.now()});
		const body = await textOf(request);
		if (service.isHanging) return;
		const [path = ''] = url.split('?');
		const other = service.refusal
			? {...service.refusal, value: {error: 'later'}}
			: service.elsewhere.get(path);
		if (other) {
			const {status = 200, retryAfter, value} = other;
			answer(response, status, value, retryAfter === undefined ? {} : {'retry-after': String(retryAfter)});
		} else answerTo(service, {method, url: new URL(url, 'http://service'), body, isOldestFirst}, response);
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => service.close());
	const {port} = server.address() as AddressInfo;
	return Object.assign(service, {url: `http://127.0.0.1:${port}`});
}

async function textOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
}

function answer(
	response: ServerResponse,
	status: number,
	value: unknown,
	headers: Record<string, string> = {},
): void {
	response.writeHead(status, {'content-type': 'application/json', ...headers}).end(JSON.stringify(value));
}

type Asked = {
	readonly method: string;
	readonly url: URL;
	readonly body: string;
	readonly isOldestFirst: boolean;
};

function answerTo(
	service: Pick<FleetService, 'computers' | 'sessions' | 'say' | 'isListingLate' | 'refusesProbes'>,
	{method, url, body, isOldestFirst}: Asked,
	response: ServerResponse,
): void {
	const [, family, id = '', rest] =
		/^\/api\/v0\/(computers|sessions)\/([^/]+)(\/messages)?$/.exec(url.pathname) ?? [];
	const computer = family === 'computers' ? service.computers.get(id) : undefined;
	const session = family === 'sessions' ? service.sessions.get(id) : undefined;
	if (computer) answer(response, 200, computer);
	else if (!session) answer(response, 404, {error: 'not found'});
	else if (rest === undefined) {
		const {sessionSettings: changes} = (body === '' ? {} : JSON.parse(body)) as Pick<
			Session,
			'sessionSettings'
		>;
		if (changes && session.isReadOnly) answer(response, 403, {error: 'this session is read-only'});
		else if (!changes && service.refusesProbes) answer(response, 400, {error: 'nothing to change'});
		else {
			if (changes)
				Object.assign(session, {sessionSettings: Object.assign({}, session.sessionSettings, changes)});
			answer(response, 200, sessionOf(id, session));
		}
	} else if (method === 'POST') {
		const {id: messageId} = service.say(id, 'user', (JSON.parse(body) as {text: string}).text);
		session.posted.add(messageId);
		answer(response, 200, {messageId, status: 'running'});
	} else {
		const isListed = (message: FleetMessage) => !service.isListingLate || !session.posted.has(message.id);
		answer(response, 200, pageOf(session.messages.filter(isListed), url.searchParams, isOldestFirst));
	}
}

function sessionOf(
	sessionId: string,
	{messages, posted: _, isReadOnly: __, ...session}: FleetSession,
): Session {
	return {sessionId, status: 'idle', messageCount: messages.length, ...session};
}

function pageOf(messages: readonly FleetMessage[], query: URLSearchParams, isOldestFirst: boolean) {
	const role = query.get('role');
	const matching = messages.filter(message => role === null || message.role === role);
	const listed = isOldestFirst ? matching : matching.toReversed();
	const from = Number(query.get('cursor') ?? 0);
	const to = from + Number(query.get('limit') ?? 20);
	const page = listed.slice(from, to).map(({role: _, ...message}) => message);
	return {
		messages: page,
		pagination: {hasMore: to < listed.length, nextCursor: to < listed.length ? String(to) : ''},
	};
}
