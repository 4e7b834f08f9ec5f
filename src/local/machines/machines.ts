import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {isObject, type JsonObject} from '../../../hooks/json.ts';
import {currentEnvironment, openRuntimeFolder} from '../../../hooks/runtime-folder.ts';
import type {Envelope} from '../../../hooks/wire.ts';
import type {MachineHost} from '../../domain/computers/computer.ts';
import {agentRoot} from '../../domain/sessions/agent-request.ts';
import type {BackgroundContext} from '../context.ts';
import {notFound, Refusal, type Route} from '../http/router.ts';
import type {StoredComputer, StoredMachine} from '../storage/computers.ts';
import {
	computerThere,
	inTimeHere,
	isSession,
	listIn,
	ofOwner,
	positionIn,
	refusalOf,
	sessionIdsIn,
	summaryOf,
	unreachable,
} from './answers.ts';
import {eventsOf, type HookEvents, handOver} from './hook-events.ts';
import type {CutOffError, MachineRequest, NotSentError} from './link.ts';
import type {RemoteMachine} from './remote-machine.ts';

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
/** How long a machine waits for a change, s: in general, and while hook events wait for a program here. */
const changeWait = 25;
const heldWait = 2;
/** How long it may take for all that, ms, and its largest answer, bytes: no machine says more at once. */
const changeTime = 60_000;
const maxChanges = 1024 * 1024;
/** A clock there that differs by no more, ms, has the time here. */
const clockSlack = 2000;
/** The rest between two answers, and after a request that failed, ms. */
const rest = 250;
const retryRest = 1000;
const outsideRequests = `${agentRoot}/requests?outside=true`;
/** Largest computer, and all open requests of a machine, UTF-16 units. */
const maxComputer = 256 * 1024;
const maxRequests = 1024 * 1024;

export function isMachine(computer: StoredComputer): computer is MachineComputer {
	return computer.machine !== undefined;
}

export function createMachines(
	{storage, save: saveLater, closing}: BackgroundContext,
	hookEvents: HookEvents,
) {
	type Known = {
		readonly opened: Promise<RemoteMachine>;
		readonly ending: AbortController;
		current?: RemoteMachine;
		/** Its service is of an older version, and goes on until its agents are done. */
		updatesWhenIdle?: boolean;
	};
	const known = new Map<string, Known>();

	const open = (computer: MachineComputer): Known => {
		const found = known.get(computer.id);
		if (found) return found;
		const ending = new AbortController();
		const {host} = computer.machine;
		const opened = Promise.all([import('./remote-machine.ts'), hookEvents.load()]).then(
			([{createRemoteMachine}]) =>
				createRemoteMachine(host, {
					controlPath: controlPathOf(host),
					closing: AbortSignal.any([closing, ending.signal]),
					onUp(isUp) {
						void readService(computer.id).catch(() => {});
						void followWhile(isUp, computer.id).catch(() => {});
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
	/** A session that hooks of this machine told of is of this machine, whoever named it before. */
	const ownerOf = (sessionId: string) => {
		const owner = find(storage.machineSessions.ownerOf(sessionId));
		return owner && hookEvents.hasSession(sessionId) ? undefined : owner;
	};
	/** Whether the session is that computer's: nobody else has it, on this machine or another. */
	const claim = (sessionId: string, {id}: MachineComputer): boolean =>
		!hookEvents.hasSession(sessionId) && storage.machineSessions.claim(sessionId, id);

	/** Makes a request of a machine. Throws `Refusal`: the machine's own, or that it can't be reached. */
	const request = async (computer: MachineComputer, {timeout, ...outgoing}: Outgoing): Promise<unknown> => {
		const {link} = await open(computer).opened;
		const {method, body} = outgoing;
		// A session is read by an update that changes nothing.
		const isRead = method === 'GET' || (method === 'PATCH' && JSON.stringify(body) === '{}');
		const askedAt = Date.now();
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
		if (answer.status < 200 || answer.status >= 300) throw refusalOf(computer, answer, isRead);
		// A late answer, such as one from before this machine slept, has an old time.
		if (Date.now() - askedAt < clockSlack) noteClock(computer.id, answer.body);
		return inTimeHere(answer.body, aheadOf(computer.id));
	};

	/** How far the clock here is ahead of the machine's, ms. */
	const aheadOf = (id: string) => find(id)?.machine.clockAhead ?? 0;
	/** It stays the same until a clock is set: times that moved would be changes. */
	const noteClock = (id: string, answer: unknown): void => {
		const there = isObject(answer) ? answer.now : undefined;
		const computer = find(id);
		if (!computer || !Number.isSafeInteger(there)) return;
		const clockAhead = Date.now() - Number(there);
		if (Math.abs(clockAhead - aheadOf(id)) > clockSlack)
			void saveLater(() => storage.computers.update(id, {machine: {...computer.machine, clockAhead}})).catch(
				() => {},
			);
	};

	const noteOutage = (id: string, since: number | undefined) =>
		saveLater(() => storage.computers.update(id, {unreachableSince: since ?? null})).catch(() => {});

	/** When the older service of a machine ends, so does the connection. */
	const readService = async (id: string): Promise<void> => {
		const [computer, one] = [find(id), known.get(id)];
		if (!computer || !one) return;
		const path = `${agentRoot}/service`;
		const answer = await request(computer, {method: 'GET', path, timeout: askTime});
		one.updatesWhenIdle = isObject(answer) && answer.endsWhenIdle === true;
		await noteOutage(id, undefined);
	};

	/** Takes what changed on a machine, and hands over its hook events, or waits for some. */
	const follow = async (computer: MachineComputer, place: Place): Promise<void> => {
		const {id} = computer;
		const hooksAfter = storage.hookCursors.get(id);
		const wait = place.held ? `wait=${heldWait}` : `wait=${changeWait}&hooksAfter=${hooksAfter}`;
		const path = `${agentRoot}/changes?after=${place.after}&${wait}`;
		const answer = await request(computer, {method: 'GET', path, timeout: changeTime, maxBytes: maxChanges});
		await saveLater(() => storage.transaction(() => takeChanges(computer, answer)));
		if (listIn(answer, 'computerIds').includes(computer.machine.computer?.id)) await refresh(computer);
		place.after = positionIn(answer, 'cursor');
		const hooks = isObject(answer) ? answer.hooks : undefined;
		if (!place.held && isObject(hooks))
			place.held = {
				events: eventsOf(listIn(hooks, 'events'), computer, aheadOf(id)),
				position: positionIn(hooks, 'position'),
			};
		const {held} = place;
		if (!held || !(await handOver(held.events))) return;
		place.held = undefined;
		if (held.position !== hooksAfter) await saveLater(() => storage.hookCursors.put(id, held.position));
	};

	/** Follows a machine as long as `isUp` says that the connection to it lasts. */
	const followWhile = async (isUp: () => boolean, id: string): Promise<void> => {
		const place: Place = {after: 0};
		for (let computer = find(id); computer && isUp(); computer = find(id)) {
			// Its service may have ended, and be started again.
			const wait = await follow(computer, place).then(
				() => rest,
				() => retryRest,
			);
			await delay(wait, undefined, {signal: closing});
		}
	};

	const takeChanges = (computer: MachineComputer, answer: unknown): void => {
		for (const id of sessionIdsIn(answer, 'addedIds')) claim(id, computer);
		for (const session of listIn(answer, 'sessions').filter(isSession))
			if (ownerOf(session.sessionId)?.id === computer.id)
				storage.machineSessions.record(summaryOf(session, computer.id));
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
				const owner = ownerOf(sessionId)?.id;
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

	/** Programs here ask this service, and not the hook. */
	const shownHere = (
		{isFromHook: _, agentPid: __, ...shown}: {readonly sessionId: string} & JsonObject,
		{name}: MachineComputer,
	) => ({...shown, sessionId: shown.sessionId, computer: name});

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
					const asked = query.get('computerId') ?? (isObject(body) ? body.computerId : undefined);
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
						body: isObject(body) ? {...body, computerId: undefined} : body,
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
		save,
		/** Why a computer's machine can't be reached; undefined while it can, or hasn't been tried. */
		outageOf: ({id}: StoredComputer) => known.get(id)?.current?.link.outage,
		/** Whether its service is of an older version, and goes on until its agents are done. */
		updatesWhenIdle: ({id}: StoredComputer) => known.get(id)?.updatesWhenIdle ?? false,
		/** Begins to connect again. */
		async retry(computer: MachineComputer): Promise<void> {
			const {link} = await open(computer).opened;
			void link.check();
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
		if (isObject(answer) && answer.id === there.id) save(computer, answer);
	}

	/** Throws `Refusal` if the answer is no computer. */
	function save(computer: MachineComputer, answer: unknown): void {
		const {data: there} = computerThere.safeParse(answer);
		const known = find(computer.id)?.machine ?? computer.machine;
		const isOther = known.computer && there?.id !== known.computer.id;
		if (!there || isOther || JSON.stringify(there).length > maxComputer)
			throw new Refusal(502, `what answers on ${computer.name} isn't Quarterdeck`);
		const machine = {...known, computer: there};
		if (JSON.stringify(machine) !== JSON.stringify(known)) {
			storage.computers.update(computer.id, {machine});
			for (const step of there.provisioningSteps)
				if (step.installSessionId) claim(step.installSessionId, computer);
		}
	}
}

/** How far the changes of a machine have been read, and its hook events that no program here has stored yet. */
type Place = {
	after: number;
	held?: {readonly events: readonly Envelope[]; readonly position: number} | undefined;
};

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
