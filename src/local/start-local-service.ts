import {randomUUID} from 'node:crypto';
import {setMaxListeners} from 'node:events';
import {homedir, hostname} from 'node:os';
import {dirname} from 'node:path';
import {userName} from '../config/user-name.ts';
import {nameLength, remoteUserLength} from '../domain/limits.ts';
import {findAgent} from './agents/agents.ts';
import {createSave} from './background-work.ts';
import type {BackgroundContext, LocalContext, LocalOptions} from './context.ts';
import {listenOnPort, listenOnSocket, type PortListener, type SocketListener} from './http/listen.ts';
import {createRouter} from './http/router.ts';
import {createServers} from './http/server.ts';
import {createLifetime} from './lifetime.ts';
import {createHookEvents} from './machines/hook-events.ts';
import {createMachines, isMachine} from './machines/machines.ts';
import {createProcessGroups} from './processes/process-group.ts';
import {createProvisioner} from './provisioning/provisioner.ts';
import {planThisMachine} from './provisioning/provisioning.ts';
import {doStep} from './provisioning/step-work.ts';
import {agentRequestRoutes} from './resources/agent-requests.ts';
import {computerRoutes} from './resources/computers.ts';
import {folderRoutes} from './resources/folders.ts';
import {messageRoutes} from './resources/messages.ts';
import {organizationRoutes} from './resources/organization.ts';
import {serviceRoutes} from './resources/service.ts';
import {sessionRoutes} from './resources/sessions.ts';
import {type Lock, lockFolder} from './service-lock.ts';
import {openStorage, type Storage, startError} from './storage/open-storage.ts';
import {createConversations, stoppedByUser} from './turns/conversations.ts';
import {createTurns} from './turns/turns.ts';
import {createFolderSummaries} from './work-folder/folder-summaries.ts';

const agentIdleTime = 10 * 60_000;

export type LocalService = Awaited<ReturnType<typeof startLocalService>>;

/**
 * Starts the embedded service: the whole contract on a private socket of this user, with real provisioning
 * and real agents. Resumes what an earlier service over the same folder left unfinished. Throws
 * `LocalServiceError` when the folder, the socket, the port or the agent can't be used.
 */
export async function startLocalService(options: LocalOptions) {
	const {folder} = options;
	const work = {findAgent, doStep, ...options.standIn};
	const agent = work.findAgent(options.agent ?? 'shell');
	const lock = await lockFolder(folder);
	const storage = openLocked(folder, lock);
	const groups = createProcessGroups(folder);
	const closing = new AbortController();
	// Every running program adds a listener.
	setMaxListeners(0, closing.signal);
	const backgroundContext: BackgroundContext = {
		folder,
		storage,
		save: createSave(closing.signal),
		groups,
		agent,
		findAgent: work.findAgent,
		doStep: work.doStep,
		closing: closing.signal,
		worktreeSetup: options.worktreeSetup,
	};
	// A full disk keeps no service from starting.
	void backgroundContext.save(() => storage.identity.setProcess(process.pid)).catch(() => {});
	const conversations = createConversations(backgroundContext, options.agentIdleTime ?? agentIdleTime);
	const turns = createTurns(backgroundContext, conversations);
	const hookEvents = createHookEvents(options.hooks, closing.signal);
	const machines = createMachines(backgroundContext, hookEvents);
	const provisioner = createProvisioner(backgroundContext, machines, turns);
	const folderSummaries = createFolderSummaries(backgroundContext);
	let onSocket: SocketListener | undefined;
	let onPort: PortListener | undefined;
	const lifetime = createLifetime({
		idleTime: options.idleTime,
		isAtWork: () => turns.atWork > 0 || provisioner.isAtWork,
		takeUse: () => servers.takeUse(),
	});
	const context: LocalContext = {
		...backgroundContext,
		lifetime,
		turns,
		conversations,
		provisioner,
		machines,
		hookEvents,
		folderSummaries,
	};

	const routes = [
		...(options.standIn?.routes(context) ?? []),
		...computerRoutes(context),
		...sessionRoutes(context),
		...messageRoutes(context),
		...organizationRoutes(context),
		...agentRequestRoutes(context),
		...serviceRoutes(context),
		...folderRoutes(context),
	];
	const router = createRouter(routes.map(machines.routed));
	const servers = createServers(router);
	const close = async (why?: Error) => {
		lifetime.close();
		await Promise.all([onSocket?.close(), onPort?.close()]);
		closing.abort(why);
		conversations.close();
		await groups.close();
		await Promise.all([provisioner.settled(), turns.settled(), hookEvents.close()]);
		storage.close();
		lock.release();
	};
	try {
		onSocket = await listenOnSocket(servers.create, folder);
		if (options.port !== undefined) onPort = await listenOnPort(servers.create, folder, options.port);
		for (const session of storage.sessions.unsettled()) {
			turns.recover(session);
			turns.wake(session.id);
		}
		for (const computer of storage.computers.all()) {
			provisioner.resume(computer);
			if (isMachine(computer) && computer.status === 'active') machines.resume(computer);
		}
		const added = options.provisionsThisMachine ? addThisMachine(storage, options.startedIn) : undefined;
		if (added !== undefined) provisioner.start(added);
		let closed: Promise<void> | undefined;
		return {
			/** Path of the socket for this user's programs. */
			socket: onSocket.file,
			/** The socket's key, valid for this start only. */
			key: onSocket.key,
			/** Address for other clients, when a port was requested. */
			port: onPort,
			/** Resolves when nobody uses the service any more, or it was asked to stop: then close it. */
			ended: lifetime.ended,
			/** Ids of the current computers: no endpoint of the contract lists them. */
			computerIds: () => storage.computers.all().map(({id}) => id),
			/** Number of agents answering messages now; closing the service stops them. */
			agentsAtWork: () => turns.atWork,
			/** Stops every process it started before it resolves. `isByUser`: because the user stopped it. */
			close: (isByUser = false) => (closed ??= close(isByUser ? stoppedByUser : undefined)),
		};
	} catch (error) {
		await close();
		throw startError(folder, error);
	}
}

function openLocked(folder: string, lock: Lock): Storage {
	try {
		return openStorage(folder);
	} catch (error) {
		lock.release();
		throw error;
	}
}

/** Creates this machine's computer if there is none yet and returns its id. The caller runs its steps. */
function addThisMachine(storage: Storage, startedIn?: string): string | undefined {
	return storage.transaction(() => {
		if (storage.computers.all().length > 0) return undefined;
		const id = randomUUID();
		storage.computers.add(
			{
				id,
				name: cut(hostname() || 'this machine', nameLength.max),
				remoteUser: cut(userName(), remoteUserLength.max),
				workspace: userFolder(startedIn),
			},
			planThisMachine(),
		);
		return id;
	});
}

/** The folder we were started in, or home if that was the file system's root. */
function userFolder(startedIn: string | undefined): string {
	try {
		const folder = startedIn ?? process.cwd();
		return dirname(folder) === folder ? homedir() : folder;
	} catch {
		// The current folder was removed.
		return homedir();
	}
}

function cut(text: string, length: number): string {
	return [...text].slice(0, length).join('');
}
