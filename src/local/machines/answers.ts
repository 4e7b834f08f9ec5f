import {z} from 'zod';
import {isObject, type JsonObject} from '../../../hooks/json.ts';
import {unreachableProblem} from '../../domain/computers/computer.ts';
import type {Session} from '../../domain/sessions/session.ts';
import {Refusal} from '../http/router.ts';
import type {StoredComputer} from '../storage/computers.ts';
import type {MachineResponse} from './link.ts';

/** Most that is taken of a list: a machine sends 200 at once. */
const maxListed = 1000;
/** Longest title, and longest reason, UTF-16 units. */
const maxTitle = 1000;
const maxDetail = 4096;
/** Refusals of a machine that are its clients' business. All others would concern every computer. */
const ownStatuses: ReadonlySet<number> = new Set([400, 404, 405, 409, 413, 415]);

const text = z.string().optional().catch(undefined);
const instant = z.number().optional().catch(undefined);
/** What is taken of a machine's word about its computer. Whoever shows it cleans it. */
export const computerThere = z.object({
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

export function unreachable(what: string): Refusal {
	return new Refusal(503, what, [], unreachableProblem);
}

export function refusalOf({name}: StoredComputer, {status, body}: MachineResponse, isRead: boolean): Refusal {
	const said = isObject(body) && typeof body.detail === 'string' ? body.detail : `status ${status}`;
	const detail = said.slice(0, maxDetail);
	if (ownStatuses.has(status)) return new Refusal(status, detail);
	if (isRead || (isObject(body) && body.type === unreachableProblem))
		return unreachable(`${name} is unreachable: ${detail}`);
	return new Refusal(502, `${name}: ${detail}`);
}

/** An answer about a session, with our id of its computer. */
export function ofOwner(owner: StoredComputer, answer: unknown, sessionId: string): unknown {
	if (!isObject(answer)) return answer;
	if (answer.sessionId !== undefined && answer.sessionId !== sessionId)
		throw new Refusal(502, `${owner.name} answered for another session`);
	return answer.computerId === undefined ? answer : {...answer, computerId: owner.id};
}

const times: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'startedAt', 'completedAt']);

/** An answer with its times by the clock here: those of what it tells of, and of what that lists. */
export function inTimeHere(answer: unknown, ahead: number): unknown {
	if (ahead === 0) return answer;
	if (Array.isArray(answer)) return answer.map(one => inTimeHere(one, ahead));
	if (!isObject(answer)) return answer;
	const fields = Object.entries(answer).map(([name, value]) => {
		if (typeof value === 'number' && times.has(name)) return [name, value + ahead];
		return [name, Array.isArray(value) ? inTimeHere(value, ahead) : value];
	});
	return Object.fromEntries(fields);
}

const isId = /^[\w-]{1,128}$/;

export function isSession(value: unknown): value is JsonObject & {readonly sessionId: string} {
	return isObject(value) && typeof value.sessionId === 'string' && isId.test(value.sessionId);
}

/** What is kept here of a session on a machine. */
export function summaryOf(
	{sessionId, title, status, createdAt, updatedAt}: JsonObject & {readonly sessionId: string},
	computerId: string,
): Session {
	return {
		sessionId,
		computerId,
		title: typeof title === 'string' ? title.slice(0, maxTitle) : undefined,
		status: typeof status === 'string' ? status.slice(0, maxTitle) : undefined,
		createdAt: typeof createdAt === 'number' ? createdAt : undefined,
		updatedAt: typeof updatedAt === 'number' ? updatedAt : undefined,
	};
}

export function positionIn(answer: unknown, name: string): number {
	const position = isObject(answer) ? answer[name] : undefined;
	return Number.isSafeInteger(position) ? Math.max(0, Number(position)) : 0;
}

export function listIn(answer: unknown, name: string): readonly unknown[] {
	const list = isObject(answer) ? answer[name] : undefined;
	return Array.isArray(list) ? list.slice(0, maxListed) : [];
}

export function sessionIdsIn(answer: unknown, name: string): readonly string[] {
	return listIn(answer, name).filter((id): id is string => typeof id === 'string' && isId.test(id));
}
