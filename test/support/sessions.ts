import {readProcStat} from '../../hooks/proc-stat.ts';
import type {Service} from '../../src/api/service.ts';
import type {Computer} from '../../src/domain/computers/computer.ts';
import type {Message} from '../../src/domain/messages/message.ts';
import type {AgentRequest} from '../../src/domain/sessions/agent-request.ts';
import {eventually} from './eventually.ts';

/** Waits until the computer is no longer being provisioned and no step is under way. */
export function whenSettled(service: Service, computerId: string): Promise<Computer> {
	return eventually(async () => {
		const computer = await service.computers.get(computerId);
		const isBusy = computer.provisioningSteps?.some(
			({startedAt, completedAt}) => startedAt !== undefined && completedAt === undefined,
		);
		if (computer.status === 'provisioning' || isBusy) throw new Error('still busy');
		return computer;
	});
}

/** A computer without repositories, ready, and its id. */
export async function createReadyComputer(service: Service): Promise<string> {
	const {id} = await service.computers.create({name: 'box', remoteUser: 'me'});
	await whenSettled(service, id);
	return id;
}

/** A ready computer of each service, for its sessions. */
const ready = new WeakMap<Service, Promise<string>>();

/** A session on a ready computer, which all sessions of the service share. */
export async function createSession(service: Service, cwd?: string): Promise<string> {
	const computerId = await (ready.get(service) ?? createReadyComputer(service));
	ready.set(service, Promise.resolve(computerId));
	const {sessionId} = await service.sessions.create({computerId, ...(cwd === undefined ? {} : {cwd})});
	return sessionId;
}

export function textOf(message: Message | undefined): string {
	return message?.content?.map(({text}) => text ?? '').join('') ?? '';
}

/** All messages of one page of 100, oldest first, whatever order the service lists them in. */
export async function readAll(service: Service, sessionId: string): Promise<Message[]> {
	const {items} = await service.messages.list(sessionId, {limit: 100});
	return items.toSorted((a, b) => Number(a.createdAt) - Number(b.createdAt) || Number(isAfter(a, b)));
}

function isAfter(a: Message, b: Message): number {
	return a.parentId === b.id ? 1 : -1;
}

/** Waits for the answer to a message to be as wanted. */
export function whenAnswer(
	service: Service,
	sessionId: string,
	messageId: string,
	isWanted: (answer: Message) => boolean,
): Promise<Message> {
	return eventually(async () => {
		const {items} = await service.messages.list(sessionId, {limit: 100});
		const answer = items.find(({parentId}) => parentId === messageId);
		if (!answer || !isWanted(answer)) throw new Error(`the answer is ${JSON.stringify(textOf(answer))}`);
		return answer;
	});
}

/** Waits until an agent asks for something, and returns its oldest request. */
export function whenAsked(service: Service, sessionId: string): Promise<AgentRequest> {
	return eventually(async () => {
		const [request] = await service.agentRequests.list(sessionId);
		if (!request) throw new Error('nothing is asked');
		return request;
	});
}

/** Waits until no turn is under way or waiting. */
export function whenIdle(service: Service, sessionId: string): Promise<void> {
	return eventually(async () => {
		const {status} = await service.sessions.update(sessionId, {});
		if (status !== 'idle') throw new Error(`the session is ${status}`);
	});
}

/** Does a process with this id run? One that has ended and was not collected yet doesn't. */
export function isProcessAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return !readProcStat(pid)?.isDead;
	} catch {
		return false;
	}
}
