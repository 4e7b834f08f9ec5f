import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {z} from 'zod';
import {currentEnvironment, openRuntimeFolder} from '../../../hooks/runtime-folder.ts';
import {type MachineHost, unreachableProblem} from '../../domain/computers/machine-host.ts';
import {agentRoot} from '../../domain/sessions/agent-request.ts';
import type {Session} from '../../domain/sessions/session.ts';
import type {BackgroundContext} from '../context.ts';
import type {HookEvents} from '../hook-events.ts';
import {notFound, Refusal} from '../http/refusal.ts';
import type {Route} from '../http/router.ts';
import type {StoredComputer, StoredMachine} from '../storage/computers.ts';
import {clockAhead, eventsOf, handOver} from './hook-events.ts';
import type {CutOffError, MachineAnswer, MachineRequest, NotSentError} from './link.ts';
import type {Machine} from './machine.ts';

/** A computer of this service that is another machine. */
export type MachineComputer = StoredComputer & {readonly machine: StoredMachine};

/** The machines of the computers that have one. Nothing of them is loaded before the first is used. */
export type Machines = ReturnType<typeof createMachines>;

/**
 * How long a machine may take to answer, ms: in general, to what may run a program, and to what is asked of all machines.
 * Less than clients wait for this service, which would seem to be offline.
 */
const answerTime = 20_000;
const postTime = 110_000;
const askTime = 3000;
/** How long a machine waits for a change, s, and then may take, ms. */
const changeWait = 25;
const changeTime = 60_000;
/** The rest between two answers, and after a request that failed, ms. */
const rest = 250;
const retryRest = 1000;
const outsideRequests = `${agentRoot}/requests?outside=true`;
/** Most that is taken of a list: a machine sends 200 at once. */
const maxListed = 1000;
/** Largest computer, all open requests of a machine, and its longest title and reason, UTF-16 units. */
const maxComputer = 256 * 1024;
const maxRequests = 1024 * 1024;
const maxTitle = 1000;
const maxDetail = 4096;
/** Refusals of a machine that are its clients' business. All others would concern every computer. */
const ownStatuses: ReadonlySet<number> = new Set([400, 404, 405, 409, 413, 415]);

export function isMachine(computer: StoredComputer): computer is MachineComputer {
	return computer.machine !== undefined;
}

export function createMachines(
	{storage, save: saveLater, closing}: BackgroundContext,
	hookEvents: Pick<HookEvents, 'load' | 'hasSession'>,
) {
	type Known = {
		readonly opened: Promise<Machine>;
		readonly ending: AbortController;
		current?: Machine;
		/** Its service is of an older version, and goes on until its agents are done. */
		updatesWhenIdle?: boolean;
		/** How far the clock here is ahead of the machine's, ms. */
		clockAhead?: number;
	};
	const known = new Map<string, Known>();

	const open = (computer: MachineComputer): Known => {
		const found = known.get(computer.id);
		if (found) return found;
		const ending = new AbortController();
		const {host} = computer.machine;
		const opened = Promise.all([import('./machine.ts'), hookEvents.load()]).then(([{createMachine}]) =>
			createMachine(host, {
				controlPath: controlPathOf(host),
				closing: AbortSignal.any([closing, ending.signal]),
				onUp(isUp) {
					void readService(computer.id).catch(() => {});
					let after = 0;
					repeat(computer.id, isUp, async now => {
						after = await readChanges(now, after);
					});
					repeat(computer.id, isUp, now => takeHookEvents(now, isUp));
				},
				onOutage: since => void noteOutage(computer.id, since),
			}),
		);
		const one: Known = {opened, ending};
		known.set(computer.id, one);
		void opened.then(
			machine => {
				one.current = machine;
			},
			() => {},
		);
		return one;
	};
	const all = () => storage.computers.all().filter(isMachine);
	const find = (id = ''): MachineComputer | undefined => {
		const computer = storage.computers.get(id);
		return computer && isMachine(computer) ? computer : undefined;
	};
	const ownerOf = (sessionId: string) => find(storage.machineSessions.ownerOf(sessionId));
	/** Whether the session is that computer's: nobody else has it, on this machine or another. */
	const claim = (sessionId: string, {id}: MachineComputer): boolean =>
		!hookEvents.hasSession(sessionId) && storage.machineSessions.claim(sessionId, id);

	/** Makes a request of a machine. Throws `Refusal`: the machine's own, or that it can't be reached. */
	const request = async (computer: MachineComputer, {timeout, ...outgoing}: Outgoing): Promise<unknown> => {
		const {link} = await open(computer).opened;
		const {method, body} = outgoing;
		// A session is read by an update that changes nothing.
		const isRead = method === 'GET' || (method === 'PATCH' && JSON.stringify(body) === '{}');
		const answer = await link
			.request({
				...outgoing,
				timeout: timeout ?? (method === 'POST' ? postTime : answerTime),
			})
			.catch((error: NotSentError | CutOffError) => {
				const what = `${computer.name} is unreachable: ${error.message}`;
				if (isRead || error.name === 'NotSentError') throw unreachable(what);
				throw new Refusal(502, `${computer.name} was cut off before it answered: ${error.message}`);
			});
		if (answer.status >= 200 && answer.status < 300) return answer.body;
		throw refusalOf(computer, answer, isRead);
	};

	const noteOutage = (id: string, since: number | undefined) =>
		saveLater(() => storage.computers.update(id, {unreachableSince: since ?? null})).catch(() => {});

	/** When the older service of a machine ends, so does the connection. */
	const readService = async (id: string): Promise<void> => {
		const [computer, one] = [find(id), known.get(id)];
		if (!computer || !one) return;
		const path = `${agentRoot}/service`;
		const answer = await request(computer, {method: 'GET', path, timeout: askTime});
		one.updatesWhenIdle = isRecord(answer) && answer.endsWhenIdle === true;
		await noteOutage(id, undefined);
	};

	/** Does something again and again while `isUp` says that the connection to a machine lasts. */
	const repeat = (
		id: string,
		isUp: () => boolean,
		run: (computer: MachineComputer) => Promise<void>,
	): void => {
		const next = async () => {
			for (let computer = find(id); computer && isUp(); computer = find(id)) {
				// Its service may have ended, and be started again.
				const wait = await run(computer).then(
					() => rest,
					() => retryRest,
				);
				await delay(wait, undefined, {signal: closing});
			}
		};
		void next().catch(() => {});
	};

	/** Takes what changed after a cursor, or waits for it; returns the cursor to go on from. */
	const readChanges = async (computer: MachineComputer, after: number): Promise<number> => {
		const path = `${agentRoot}/changes?after=${after}&wait=${changeWait}`;
		const answer = await request(computer, {method: 'GET', path, timeout: changeTime});
		await saveLater(() => storage.transaction(() => takeChanges(computer, answer)));
		if (listIn(answer, 'computerIds').includes(computer.machine.computer?.id)) await refresh(computer);
		return cursorIn(answer);
	};

	/** Hands over the next hook events of a machine, or waits for some. */
	const takeHookEvents = async (computer: MachineComputer, isUp: () => boolean): Promise<void> => {
		const {id} = computer;
		const after = storage.hookCursors.get(id);
		const path = `${agentRoot}/hook-events?after=${after}&wait=${changeWait}`;
		const answer = await request(computer, {method: 'GET', path, timeout: changeTime});
		const one = known.get(id);
		if (!one || !isRecord(answer)) return;
		one.clockAhead = clockAhead(one.clockAhead, answer.now);
		const events = eventsOf(listIn(answer, 'events'), computer, one.clockAhead);
		const cursor = cursorIn(answer);
		if ((await handOver(events, isUp, closing)) && cursor !== after)
			await saveLater(() => storage.hookCursors.put(id, cursor));
	};

	const takeChanges = (computer: MachineComputer, answer: unknown): void => {
		const {machineSessions} = storage;
		for (const id of listIn(answer, 'addedIds'))
			if (typeof id === 'string' && isId.test(id)) claim(id, computer);
		for (const session of listIn(answer, 'sessions').filter(isSession))
			if (machineSessions.ownerOf(session.sessionId) === computer.id)
				machineSessions.record(summaryOf(session, computer));
	};

	/** Asks all machines that are connected. One that doesn't answer, or not in time, adds nothing. */
	const askAll = async <T>(
		path: string,
		read: (computer: MachineComputer, answer: unknown) => readonly T[],
	): Promise<readonly T[]> => {
		const connected = all().filter(({id}) => known.get(id)?.current?.link.isUp);
		const answers = await Promise.all(
			connected.map(async computer => {
				try {
					return read(computer, await request(computer, {method: 'GET', path, timeout: askTime}));
				} catch {
					return [];
				}
			}),
		);
		return answers.flat();
	};

	/** Requests of its own sessions, and of clients outside its service, as long as they leave room for those of others. */
	const requestsIn = (computer: MachineComputer, answer: unknown) => {
		let room = maxRequests;
		return listIn(answer, 'requests')
			.filter(isSession)
			.filter(({sessionId, isFromHook}) => {
				const owner = storage.machineSessions.ownerOf(sessionId);
				const isHere = storage.sessions.get(sessionId) !== undefined || hookEvents.hasSession(sessionId);
				const isOutside = isFromHook === true && owner === undefined && !isHere;
				return isOutside || owner === computer.id;
			})
			.filter(request => {
				room -= JSON.stringify(request).length;
				return room >= 0;
			})
			.map(request => shownHere(request, computer));
	};

	/** Programs here ask this service, and not the hook. The time is by the clock here. */
	const shownHere = (
		request: {readonly sessionId: string} & Record<string, unknown>,
		computer: MachineComputer,
	) => {
		const {isFromHook: _, agentPid: __, createdAt, ...shown} = request;
		const ahead = known.get(computer.id)?.clockAhead ?? 0;
		return {
			...shown,
			sessionId: request.sessionId,
			computer: computer.name,
			...(typeof createdAt === 'number' && {createdAt: createdAt + ahead}),
		};
	};

	return {
		open: (computer: MachineComputer) => open(computer).opened,
		request,
		/** Connects in the background. */
		resume(computer: MachineComputer): void {
			void open(computer)
				.opened.then(({link}) => link.connect())
				.catch(() => {});
		},
		/** The route, which passes on what concerns the session of a machine. */
		routed(route: Route): Route {
			if (!route.path.includes(':sessionId')) return route;
			return {
				...route,
				async handle(call) {
					const {sessionId = ''} = call.params;
					const owner = ownerOf(sessionId);
					if (!owner) return route.handle(call);
					const {query, body, idempotencyKey} = call;
					const asked = query.get('computerId') ?? (isRecord(body) ? body.computerId : undefined);
					if (asked !== undefined && asked !== null && asked !== owner.id)
						throw notFound(`session ${sessionId} on computer`, String(asked));
					// The machine knows its computer by another id.
					query.delete('computerId');
					const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
						encodeURIComponent(call.params[name] ?? ''),
					);
					const search = query.size > 0 ? `?${query}` : '';
					const answer = await request(owner, {
						method: route.method,
						path: path + search,
						body: isRecord(body) ? {...body, computerId: undefined} : body,
						idempotencyKey,
					});
					return ofOwner(owner, answer, sessionId);
				},
			};
		},
		/** Creates a session on a machine. Throws `Refusal`. */
		async createSession(computer: MachineComputer, draft: object): Promise<unknown> {
			const {computer: there} = computer.machine;
			if (!there) throw unreachable(`${computer.name} is not set up yet`);
			// The machine has programs, and so a PATH, of its own.
			const body = {...draft, computerId: there.id, environment: undefined};
			const answer = await request(computer, {method: 'POST', path: '/api/v0/sessions', body});
			const isOwn = isSession(answer) && claim(answer.sessionId, computer);
			if (!isOwn) throw new Refusal(502, `${computer.name} answered with a session that isn't its own`);
			return {...answer, computerId: computer.id};
		},
		/** The folders in a folder there, or the repositories. Throws `Refusal`. */
		async folders(computer: MachineComputer, folder: string | undefined): Promise<unknown> {
			const {computer: there} = computer.machine;
			if (!there) throw unreachable(`${computer.name} is not set up yet`);
			const search = folder === undefined ? '' : `?${new URLSearchParams({in: folder})}`;
			const path = `${agentRoot}/computers/${encodeURIComponent(there.id)}/folders${search}`;
			return request(computer, {method: 'GET', path, timeout: askTime});
		},
		ownerOf,
		/** Open agent requests of the connected machines, or of one session of a machine. */
		async requests(
			computer?: MachineComputer,
			sessionId?: string,
		): Promise<readonly {readonly sessionId: string}[]> {
			const path = `${agentRoot}/requests`;
			if (!computer || sessionId === undefined) return askAll(outsideRequests, requestsIn);
			const search = new URLSearchParams({sessionId});
			return requestsIn(computer, await request(computer, {method: 'GET', path: `${path}?${search}`}));
		},
		/** Answers a request of a client outside the service of some machine; undefined if none has it. Throws `Refusal`. */
		async answerOutside(sessionId: string, requestId: string, body: unknown): Promise<unknown> {
			const isMeant = (request: {readonly sessionId: string; readonly id?: unknown}) =>
				request.id === requestId && request.sessionId === sessionId;
			const [computer] = await askAll(outsideRequests, (one, answer) =>
				requestsIn(one, answer).some(isMeant) ? [one] : [],
			);
			if (!computer) return undefined;
			const path = `${agentRoot}/sessions/${encodeURIComponent(sessionId)}/requests/${encodeURIComponent(requestId)}`;
			const answer = await request(computer, {method: 'POST', path, body});
			return isSession(answer) ? shownHere(answer, computer) : answer;
		},
		refresh,
		/** Saves what a machine says about its computer. */
		save,
		/** Why a computer's machine can't be reached; undefined while it can, or hasn't been tried. */
		outageOf: ({id}: StoredComputer) => known.get(id)?.current?.link.outage,
		/** Whether its service is of an older version, and goes on until its agents are done. */
		updatesWhenIdle: ({id}: StoredComputer) => known.get(id)?.updatesWhenIdle ?? false,
		/** Tries again now. */
		async retry(computer: MachineComputer): Promise<void> {
			await (await open(computer).opened).link.check();
		},
		/** Installs the dependencies on the machine again. Throws `Refusal`. */
		async retryInstall(computer: MachineComputer): Promise<void> {
			const id = encodeURIComponent(computer.machine.computer?.id ?? '');
			const path = `/api/v0/computers/${id}/install-deps`;
			save(computer, await request(computer, {method: 'POST', path}));
		},
		/** Ends the service on the machine, and removes the program there. Throws `Refusal`. */
		async remove(computer: MachineComputer): Promise<void> {
			const machine = await open(computer).opened;
			await machine.remove().catch((error: Error) => {
				throw unreachable(`Quarterdeck may still be on ${computer.name}: ${error.message}`);
			});
		},
		/** Forgets a computer and its sessions, which stay on the machine. */
		forget({id}: MachineComputer): void {
			known.get(id)?.ending.abort();
			known.delete(id);
			storage.transaction(() => {
				storage.machineSessions.forget(id);
				storage.hookCursors.forget(id);
				storage.computers.remove(id);
			});
		},
	};

	/** Reads the computer on the machine again, if that is connected. */
	async function refresh(computer: MachineComputer): Promise<void> {
		const {computer: there} = computer.machine;
		if (!there || !known.get(computer.id)?.current?.link.isUp) return;
		const path = `/api/v0/computers/${encodeURIComponent(there.id)}`;
		const answer = await request(computer, {method: 'GET', path, timeout: askTime}).catch(() => undefined);
		if (isRecord(answer) && answer.id === there.id) save(computer, answer);
	}

	/** Throws `Refusal` if the answer is no computer. */
	function save(computer: MachineComputer, answer: unknown): void {
		const {data: there} = computerThere.safeParse(answer);
		const isOther = computer.machine.computer && there?.id !== computer.machine.computer.id;
		if (!there || isOther || JSON.stringify(there).length > maxComputer)
			throw new Refusal(502, `what answers on ${computer.name} isn't Quarterdeck`);
		const machine = {...computer.machine, computer: there};
		if (JSON.stringify(machine) !== JSON.stringify(computer.machine)) {
			storage.computers.update(computer.id, {machine});
			for (const step of there.provisioningSteps)
				if (step.installSessionId) claim(step.installSessionId, computer);
		}
	}
}

const text = z.string().optional().catch(undefined);
const instant = z.number().optional().catch(undefined);
/** What is taken of a machine's word about its computer. Whoever shows it cleans it. */
const computerThere = z.object({
	id: z.string().min(1),
	status: text,
	folder: text,
	agent: text,
	provisioningSteps: z
		.array(
			z.object({
				id: text,
				name: text,
				status: text,
				error: text,
				startedAt: instant,
				completedAt: instant,
				installSessionId: text,
			}),
		)
		.catch([]),
});

type Outgoing = Omit<MachineRequest, 'timeout'> & {readonly timeout?: number};

/** Where a log-in of the user leaves the socket of its connection, for the links that follow. */
export function controlPathOf(host: MachineHost): string | undefined {
	const name = createHash('sha256').update(JSON.stringify(host)).digest('hex').slice(0, 12);
	try {
		return join(openRuntimeFolder(currentEnvironment()), `ssh-${name}`);
	} catch {
		// Without a private folder, there is no such log-in.
		return undefined;
	}
}

function unreachable(what: string): Refusal {
	return new Refusal(503, what, [], unreachableProblem);
}

function refusalOf({name}: StoredComputer, {status, body}: MachineAnswer, isRead: boolean): Refusal {
	const said = isRecord(body) && typeof body.detail === 'string' ? body.detail : `status ${status}`;
	const detail = said.slice(0, maxDetail);
	if (ownStatuses.has(status)) return new Refusal(status, detail);
	if (isRead || (isRecord(body) && body.type === unreachableProblem))
		return unreachable(`${name} is unreachable: ${detail}`);
	return new Refusal(502, `${name}: ${detail}`);
}

/** An answer about a session, with our id of its computer. */
function ofOwner(owner: MachineComputer, answer: unknown, sessionId: string): unknown {
	if (!isRecord(answer)) return answer;
	if (answer.sessionId !== undefined && answer.sessionId !== sessionId)
		throw new Refusal(502, `${owner.name} answered for another session`);
	return answer.computerId === undefined ? answer : {...answer, computerId: owner.id};
}

const isId = /^[\w-]{1,128}$/;

function isSession(value: unknown): value is Record<string, unknown> & {readonly sessionId: string} {
	return isRecord(value) && typeof value.sessionId === 'string' && isId.test(value.sessionId);
}

/** What is kept here of a session on a machine. */
function summaryOf(
	{sessionId, title, status, createdAt, updatedAt}: Record<string, unknown> & {readonly sessionId: string},
	{id: computerId}: MachineComputer,
): Session {
	return {
		sessionId,
		computerId,
		...(typeof title === 'string' && {title: title.slice(0, maxTitle)}),
		...(typeof status === 'string' && {status: status.slice(0, maxTitle)}),
		...(typeof createdAt === 'number' && {createdAt}),
		...(typeof updatedAt === 'number' && {updatedAt}),
	};
}

function cursorIn(answer: unknown): number {
	const cursor = isRecord(answer) ? answer.cursor : undefined;
	return Number.isSafeInteger(cursor) ? Math.max(0, Number(cursor)) : 0;
}

function listIn(answer: unknown, name: string): readonly unknown[] {
	const list = isRecord(answer) ? answer[name] : undefined;
	return Array.isArray(list) ? list.slice(0, maxListed) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
