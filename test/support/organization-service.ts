import {randomUUID} from 'node:crypto';
import {createServer, type IncomingMessage} from 'node:http';
import type {AddressInfo} from 'node:net';
import {onTestFinished} from 'vitest';

type FakeMessage = {readonly id: string; readonly content: readonly object[]; readonly createdAt: number};

/** One organization of a service, with all that its keys can see. */
export type FakeOrganization = {
	readonly id: string;
	readonly keys: Set<string>;
	readonly users: string[];
	readonly computers: Map<string, {readonly name: string; readonly createdAt: number}>;
	/** By session, oldest first. */
	readonly sessions: Map<string, FakeMessage[]>;
	/** What every day of its usage comes to: no other organization's does. */
	credits: number;
	/** Its keys are a member's: users and analytics are refused. */
	isMember: boolean;
};

export type FakeRequest = {
	readonly key: string;
	readonly organization: string | undefined;
	readonly method: string;
	/** With the query. */
	readonly path: string;
	readonly text: string;
};

/**
 * How the service handles the next posts of messages. `lost`: accepted, but the response is lost; `cut`: the
 * connection is reset before the message is accepted; `down`: 503 with a Retry-After.
 */
export type Fault = 'lost' | 'refused' | 'down' | 'cut';

/** A service on loopback with organizations that know nothing of each other. */
export type OrganizationService = {
	readonly url: string;
	readonly requests: FakeRequest[];
	readonly organizations: readonly FakeOrganization[];
	/** For the posts that come next, one each. */
	readonly faults: Fault[];
	/** The same for the next requests of any kind. */
	readonly troubles: ('down' | 'cut')[];
	/** Seconds that it asks for while it is down. */
	retryAfter: number;
	/** Nothing is answered before it resolves. */
	held?: Promise<void>;
	/** Only requests with this key are held. */
	heldKey?: string;
	close(): void;
};

/** Begins with one computer, one user more than a person, and no sessions. */
export function fakeOrganization(id: string, ...keys: string[]): FakeOrganization {
	return {
		id,
		keys: new Set(keys),
		users: [`${id}-ann`, `${id}-bob`, `${id}-cid`],
		computers: new Map(),
		sessions: new Map(),
		credits: 0,
		isMember: false,
	};
}

export function addMessage({sessions}: FakeOrganization, sessionId: string, text: string): string {
	const id = randomUUID();
	const messages = sessions.get(sessionId) ?? [];
	messages.push({id, content: [{id: 'c', text}], createdAt: Date.now()});
	sessions.set(sessionId, messages);
	return id;
}

export async function startOrganizations(...organizations: FakeOrganization[]): Promise<OrganizationService> {
	const requests: FakeRequest[] = [];
	const faults: Fault[] = [];
	const troubles: OrganizationService['troubles'] = [];
	const service = {url: '', requests, organizations, faults, troubles, retryAfter: 30, close};
	const server = createServer(async (incoming, response) => {
		const request = await readRequest(incoming, organizations);
		requests.push(request);
		const {held, heldKey = request.key} = service as OrganizationService;
		if (request.key === heldKey) await held;
		const organization = organizations.find(({keys}) => keys.has(request.key));
		const trouble = troubles.shift();
		const answer =
			trouble === 'cut'
				? undefined
				: trouble === 'down'
					? down(service)
					: organization
						? answerTo(request, organization, service)
						: refusal(401, 'the key is not known');
		if (!answer) response.destroy();
		else
			response
				.writeHead(answer.status, {'content-type': 'application/json', ...answer.headers})
				.end(JSON.stringify(answer.value));
	});
	function close(): void {
		server.close();
		server.closeAllConnections();
	}
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(close);
	const {port} = server.address() as AddressInfo;
	return Object.assign(service, {url: `http://127.0.0.1:${port}`});
}

async function readRequest(
	incoming: IncomingMessage,
	organizations: readonly FakeOrganization[],
): Promise<FakeRequest> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk as Buffer);
	const key = (incoming.headers.authorization ?? '').replace(/^Bearer /, '');
	return {
		key,
		organization: organizations.find(({keys}) => keys.has(key))?.id,
		method: incoming.method ?? '',
		path: incoming.url ?? '',
		text: Buffer.concat(chunks).toString(),
	};
}

/** An answer of JSON; none at all when the connection is cut. */
type Answer = {readonly status: number; readonly value: unknown; readonly headers?: Record<string, string>};

const refusal = (status: number, error: string): Answer => ({status, value: {error}});

const down = ({retryAfter}: Pick<OrganizationService, 'retryAfter'>): Answer => ({
	...refusal(503, 'later'),
	headers: {'retry-after': String(retryAfter)},
});

function answerTo(
	{method, path, text}: FakeRequest,
	organization: FakeOrganization,
	service: Pick<OrganizationService, 'faults' | 'retryAfter'>,
): Answer | undefined {
	const url = new URL(path, 'http://service');
	const [, id = ''] = /^\/api\/v0\/(?:computers|sessions)\/([^/]+)/.exec(url.pathname) ?? [];
	if (url.pathname.startsWith('/api/v1/analytics/')) return usage(url, organization);
	if (url.pathname === '/api/v0/organization/users') {
		if (organization.isMember) return refusal(403, 'managers only');
		const users = organization.users.map(user => ({id: user}));
		return {status: 200, value: {users, pagination: {hasMore: false, nextCursor: ''}}};
	}
	if (url.pathname === `/api/v0/computers/${id}`) {
		const computer = organization.computers.get(id);
		if (!computer) return refusal(404, 'no such computer');
		return {status: 200, value: {id, ...computer, providerType: 'byom', status: 'active'}};
	}
	const messages = organization.sessions.get(id);
	if (url.pathname !== `/api/v0/sessions/${id}/messages` || !messages) return refusal(404, 'no such session');
	if (method === 'GET') return messagePage(url, messages);
	const fault = service.faults.shift();
	if (fault === 'cut') return undefined;
	if (fault === 'refused') return refusal(422, 'no');
	if (fault === 'down') return down(service);
	const messageId = addMessage(organization, id, (JSON.parse(text) as {text: string}).text);
	return fault === 'lost' ? undefined : {status: 200, value: {messageId, status: 'idle'}};
}

/** Newest first. What is asked for by role is the user's: nobody else writes here. */
function messagePage(url: URL, messages: readonly FakeMessage[]): Answer {
	const role = url.searchParams.get('role') ?? 'user';
	const from = Number(url.searchParams.get('cursor') ?? 0);
	const to = from + Number(url.searchParams.get('limit') ?? 20);
	const listed = role === 'user' ? messages.toReversed() : [];
	const hasMore = to < listed.length;
	const pagination = {hasMore, nextCursor: hasMore ? String(to) : ''};
	return {status: 200, value: {messages: listed.slice(from, to), pagination}};
}

/** Activity alone has rows: one a day, of as many sessions as the organization's credits. */
function usage(url: URL, {id, credits, isMember}: FakeOrganization): Answer {
	if (isMember) return {status: 403, value: {title: 'Forbidden', detail: 'managers only', status: 403}};
	const startDate = url.searchParams.get('startDate') ?? '';
	const endDate = url.searchParams.get('endDate') ?? '';
	const data: object[] = [];
	for (let at = Date.parse(startDate); at <= Date.parse(endDate); at += 86_400_000)
		data.push({date: new Date(at).toISOString().slice(0, 10), sessions: credits, daily_active_users: 1});
	return {status: 200, value: {data, meta: {org_id: id, start_date: startDate, end_date: endDate}}};
}
