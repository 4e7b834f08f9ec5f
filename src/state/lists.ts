import type {KnownComputer} from '../domain/known.ts';
import {stepState} from '../domain/provisioning.ts';
import type {Fleet} from './fleet.ts';
import type {Outbox} from './outbox.ts';
import {type SessionItem, sessionItems, shortId} from './session-items.ts';

/** Sections of the list column, in their order on screen. */
export const sections = ['needs', 'sessions', 'computers'] as const;
export type Section = (typeof sections)[number];

/** One computer as its list shows it. The name is as it came. */
export type ComputerItem = {
	readonly id: string;
	readonly name: string;
	readonly known: KnownComputer;
	readonly isFailed: boolean;
	/** The service can't find it yet. */
	readonly isStarting?: boolean;
};

export type Lists = {
	readonly needs: readonly SessionItem[];
	readonly sessions: readonly SessionItem[];
	readonly computers: readonly ComputerItem[];
	/** Of everything known, whatever the filter hides. */
	readonly counts: {
		readonly needs: number;
		readonly working: number;
		readonly idle: number;
		readonly errors: number;
	};
	/** Everything known, whatever the filter hides. */
	readonly all: {readonly sessions: readonly SessionItem[]; readonly computers: readonly ComputerItem[]};
	/** Rows that the filter hides. */
	readonly hidden: number;
	/** Sessions that are archived or have ended on this machine, in the lists or not. */
	readonly past: number;
};

export type ListFilter = {
	readonly words: string;
	readonly needsOnly: boolean;
	/** Left out: they are not. */
	readonly showsArchived?: boolean;
};

/** What the three lists show. Costs as much as there are sessions: once for each change, never for a key. */
export function listsOf(fleet: Fleet, outbox: Outbox, filter: ListFilter): Lists {
	const everything = sessionItems(fleet, outbox);
	const items = filter.showsArchived ? everything : everything.filter(item => !item.isPast);
	const machines = computerItems(fleet);
	const isKept = matcher(filter.words);
	const kept = items.filter(item =>
		isKept(item.name, item.id, item.known?.cwd ?? item.signal?.cwd, item.client),
	);
	const sessions = kept.filter(item => item.group !== 'needs' && !filter.needsOnly);
	const needs = kept.filter(item => item.group === 'needs');
	const computers = machines.filter(
		item => isKept(item.name, item.id, item.known.computer?.hostname) && (!filter.needsOnly || item.isFailed),
	);
	const present = everything.filter(item => !item.isPast);
	const count = (group: SessionItem['group']) => present.filter(item => item.group === group).length;
	return {
		needs,
		sessions,
		computers,
		all: {sessions: everything, computers: machines},
		counts: {
			needs: count('needs'),
			working: count('working'),
			idle: present.filter(item => item.group === 'idle' && item.state !== 'unknown').length,
			errors:
				machines.filter(item => item.isFailed).length + present.filter(item => item.state === 'error').length,
		},
		hidden: items.length + machines.length - needs.length - sessions.length - computers.length,
		past: everything.filter(item => item.isPast).length,
	};
}

function computerItems(fleet: Fleet): ComputerItem[] {
	return [...fleet.computers.values()]
		.map(known => ({
			id: known.id,
			name: known.computer?.name || shortId(known.id),
			known,
			isFailed: isFailed(known),
			...(fleet.problems.get(known.id)?.isStarting && {isStarting: true}),
		}))
		.sort((a, b) => b.known.addedAt - a.known.addedAt || (a.id < b.id ? -1 : 1));
}

function isFailed({computer}: KnownComputer): boolean {
	return (
		computer?.status === 'error' ||
		(computer?.provisioningSteps ?? []).some(step => stepState(step).state === 'failed')
	);
}

function matcher(words: string): (...texts: readonly (string | undefined)[]) => boolean {
	const wanted = words.toLowerCase().split(' ').filter(Boolean);
	return (...texts) => {
		const text = texts.join(' ').toLowerCase();
		return wanted.every(word => text.includes(word));
	};
}
