import {randomUUID} from 'node:crypto';
import {createServer, type IncomingMessage} from 'node:http';
import type {AddressInfo} from 'node:net';
import {onTestFinished} from 'vitest';
import {type Answer, organizationPage, refusal} from './organization-pages.ts';

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
	/** Names and values. */
	readonly headers: string;
	readonly text: string;
	/** What it was answered with. */
	status?: number;
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
	/** Messages for which it is down until they are taken out. */
	readonly waitingTexts: Set<string>;
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
	const waitingTexts = new Set<string>();
	const service = {url: '', requests, organizations, faults, troubles, waitingTexts, retryAfter: 30, close};
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
		if (!answer) {
			response.destroy();
			return;
		}
		request.status = answer.status;
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
		headers: incoming.rawHeaders.join('\n'),
		text: Buffer.concat(chunks).toString(),
	};
}

const down = ({retryAfter}: Pick<OrganizationService, 'retryAfter'>): Answer => ({
	...refusal(503, 'later'),
	headers: {'retry-after': String(retryAfter)},
});

function answerTo(
	{method, path, text}: FakeRequest,
	organization: FakeOrganization,
	service: Pick<OrganizationService, 'faults' | 'waitingTexts' | 'retryAfter'>,
): Answer | undefined {
	const url = new URL(path, 'http://service');
	const [, id = ''] = /^\/api\/v0\/(?:computers|sessions)\/([^/]+)/.exec(url.pathname) ?? [];
	const page = organizationPage(url, organization);
	if (page) return page;
	if (url.pathname === `/api/v0/computers/${id}`) {
		const computer = organization.computers.get(id);
		if (!computer) return refusal(404, 'no such computer');
		const more = {hostname: `${organization.id}-host`, providerType: 'byom', status: 'active'};
		return {status: 200, value: {id, ...computer, ...more}};
	}
	const messages = organization.sessions.get(id);
	if (method === 'PATCH' && url.pathname === `/api/v0/sessions/${id}` && messages) {
		const [first] = messages;
		const times = {createdAt: first?.createdAt ?? Date.now(), updatedAt: Date.now()};
		const title = `${organization.id} titled ${id}`;
		return {
			status: 200,
			value: {sessionId: id, status: 'idle', messageCount: messages.length, ...times, title},
		};
	}
	if (url.pathname !== `/api/v0/sessions/${id}/messages` || !messages) return refusal(404, 'no such session');
	if (method === 'GET') return messagePage(url, messages);
	const message = (JSON.parse(text) as {text: string}).text;
	if (service.waitingTexts.has(message)) return down(service);
	const fault = service.faults.shift();
	if (fault === 'cut') return undefined;
	if (fault === 'refused') return refusal(422, 'no');
	if (fault === 'down') return down(service);
	const messageId = addMessage(organization, id, message);
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
