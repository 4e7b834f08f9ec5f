import type {Computer} from '../../src/domain/computers/computer.ts';
import type {KnownComputer, KnownSession} from '../../src/domain/known.ts';
import type {OutboxItem} from '../../src/domain/messages/delivery.ts';
import type {SessionActivity} from '../../src/domain/sessions/activity.ts';
import {type AgentRequest, noOption, onceOption} from '../../src/domain/sessions/agent-request.ts';
import type {Signal} from '../../src/domain/sessions/signal.ts';
import type {Fleet} from '../../src/state/fleet.ts';
import {createListBuilder, type ListFilter} from '../../src/state/lists/lists.ts';
import type {Outbox} from '../../src/state/stores.ts';

export const noon = Date.UTC(2026, 10, 1, 12);

export function knownSession(id: string, more: Partial<KnownSession> = {}): KnownSession {
	return {id, origin: 'added', addedAt: noon, ...more};
}

export function knownComputer(id: string, computer: Partial<Computer> = {}, addedAt = noon): KnownComputer {
	return {
		id,
		origin: 'added',
		addedAt,
		computer: {id, name: id, status: 'active', ...computer},
		fetchedAt: noon,
	};
}

export function signal(sessionId: string, state: Signal['state'], more: Partial<Signal> = {}): Signal {
	return {
		client: 'claude',
		sessionId,
		state,
		since: noon,
		lastEventAt: noon,
		lastEvent: 'Notification',
		background: 0,
		...more,
	};
}

export function fleet(
	sessions: readonly KnownSession[] = [],
	computers: readonly KnownComputer[] = [],
	signals: readonly Signal[] = [],
): Fleet {
	return {
		sessions: new Map(sessions.map(session => [session.id, session])),
		computers: new Map(computers.map(computer => [computer.id, computer])),
		signals: new Map(signals.map(one => [`${one.client}:${one.sessionId}`, one])),
		requests: new Map(),
		problems: new Map(),
	};
}

export const emptyOutbox: Outbox = {bySession: new Map()};

/** The lists of what is known, as a program shows them that has just started. */
export const listsOf = (known: Fleet, filter: Partial<ListFilter> = {}) =>
	createListBuilder().lists(known, emptyOutbox, {words: '', needsOnly: false, ...filter});

export function outboxItem(more: Partial<OutboxItem> = {}): OutboxItem {
	const message = {id: 'o', sessionId: 's', text: 'hi', images: [], files: []};
	return {...message, state: 'queued', createdAt: noon, tries: 1, ...more};
}

/** An answer that was found at noon and nobody has read. */
export function activity(more: Partial<SessionActivity> = {}): SessionActivity {
	return {state: 'done', evidence: 'answer', at: noon, changedAt: noon, newestId: 'm', unread: 1, ...more};
}

/** What an agent of the session `s1` asks for. */
export const permission: AgentRequest = {
	id: 'r1',
	sessionId: 's1',
	kind: 'permission',
	tool: 'Bash',
	text: 'rm -r build\nmake',
	options: [
		onceOption,
		{
			word: 'always',
			label: 'always allow',
			allows: true,
			changes: ['allow Bash(rm), until the session ends'],
		},
		noOption,
	],
	createdAt: noon,
};

/** The activity of that session meanwhile. */
export const asks: SessionActivity = {
	state: 'asks',
	evidence: 'request',
	at: noon,
	newestId: 'm1',
	derivedFrom: 'm1',
	changedAt: noon,
	words: 'Bash: rm -r build',
	unread: 1,
};
