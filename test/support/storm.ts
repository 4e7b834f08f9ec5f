import fc from 'fast-check';
import type {Computer} from '../../src/domain/computers/computer.ts';
import {failureOf} from '../../src/domain/computers/provisioning.ts';
import type {KnownSession} from '../../src/domain/known.ts';
import {type AttentionMark, episodeOf, subjectKey} from '../../src/domain/sessions/attention.ts';
import type {Fleet} from '../../src/state/fleet.ts';
import type {ListFilter} from '../../src/state/lists/lists.ts';
import {type Grouping, groupings} from '../../src/state/sessions/session-groups.ts';
import {type SessionSort, sessionSorts} from '../../src/state/sessions/session-sort.ts';
import type {Attention} from '../../src/state/stores.ts';
import {fleet, knownComputer, knownSession, noon, signal} from './fleet.ts';

/** What is known of one session in a storm of updates. */
export type StormSession = {
	readonly title: string;
	readonly status: 'running' | 'idle' | 'pending' | 'hibernating';
	readonly asks: 'needs-permission' | 'needs-input' | 'error' | 'done' | undefined;
	readonly since: number;
	readonly isArchived: boolean;
	readonly isPinned: boolean;
	readonly isLocal: boolean;
	readonly computer: 'c1' | 'c2' | undefined;
	readonly tag: string | undefined;
	readonly mark: 'acknowledged' | 'snoozed' | undefined;
};

/** What is known of a computer; `failedAt` if its provisioning failed. */
export type StormComputer = {
	readonly failedAt: number | undefined;
	readonly mark: 'acknowledged' | 'snoozed' | undefined;
};

/** The whole of what the lists are made of, at one moment. */
export type Weather = {
	readonly sessions: Readonly<Record<string, StormSession>>;
	readonly computers: Readonly<Record<string, StormComputer>>;
	readonly filter: string;
	readonly needsOnly: boolean;
	readonly showsArchived: boolean;
	readonly sort: SessionSort;
	readonly grouping: Grouping;
	/** Keys of groups that may exist. */
	readonly collapsed: readonly string[];
};

const ids = ['s0', 's1', 's2', 's3', 's4', 's5', 's6', 's7', 's8', 's9'];
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, {nil: undefined});

const session: fc.Arbitrary<StormSession> = fc.record({
	title: fc.constantFrom('api', 'login', 'docs', 'shop', 'a b'),
	status: fc.constantFrom('running', 'idle', 'pending', 'hibernating'),
	asks: maybe(fc.constantFrom('needs-permission', 'needs-input', 'error', 'done')),
	since: fc.integer({min: 0, max: 50}).map(minutes => noon - minutes * 60_000),
	isArchived: fc.boolean(),
	isPinned: fc.boolean(),
	isLocal: fc.boolean(),
	computer: maybe(fc.constantFrom('c1', 'c2')),
	tag: maybe(fc.constantFrom('urgent', 'infra')),
	mark: maybe(fc.constantFrom('acknowledged', 'snoozed')),
});

export const weather: fc.Arbitrary<Weather> = fc.record({
	sessions: fc.dictionary(fc.constantFrom(...ids), session, {maxKeys: ids.length}),
	computers: fc.dictionary(
		fc.constantFrom('c1', 'c2', 'c3', 's1'),
		fc.record({
			failedAt: maybe(fc.integer({min: 0, max: 50}).map(minutes => noon - minutes * 60_000)),
			mark: maybe(fc.constantFrom('acknowledged', 'snoozed')),
		}),
	),
	filter: fc.oneof(
		{weight: 3, arbitrary: fc.constant('')},
		fc.constantFrom(
			's:waiting',
			'!s:idle',
			'c:c1',
			'#urgent',
			'api',
			'!docs',
			's:w !#infra',
			'is:pinned',
			'z:1 api',
		),
	),
	needsOnly: fc.boolean(),
	showsArchived: fc.boolean(),
	sort: fc.constantFrom(...sessionSorts),
	grouping: fc.constantFrom(...groupings),
	collapsed: fc.subarray([
		'state working',
		'state idle',
		'state other hibernating',
		'computer c1',
		'computer',
		'this machine',
		'tag urgent',
		'folder /srv/shop',
		'folder',
	]),
});

export function fleetOf({sessions, computers}: Weather): Fleet {
	const all = Object.entries(sessions);
	return fleet(
		all.flatMap(([id, one]) => (one.isLocal ? [] : [known(id, one)])),
		Object.entries(computers).map(([id, {failedAt}]) => knownComputer(id, failing(failedAt))),
		all.flatMap(([id, {asks, since, isLocal}]) => {
			const state = asks ?? (isLocal ? 'working' : undefined);
			return state ? [signal(id, state, {since, lastEventAt: since, cwd: '/srv/shop'})] : [];
		}),
	);
}

function failing(failedAt: number | undefined): Partial<Computer> {
	if (failedAt === undefined) return {};
	return {provisioningSteps: [{name: 'clone', status: 'failed', error: 'no disk', completedAt: failedAt}]};
}

function known(id: string, one: StormSession): KnownSession {
	return knownSession(id, {
		...(one.computer && {computerId: one.computer}),
		...(one.isPinned && {pinned: true}),
		session: {
			sessionId: id,
			title: one.title,
			sessionSettings: {
				...(one.tag && {tags: [{name: one.tag}]}),
				...(one.isArchived && {archivedAt: '2026-11-01T00:00:00Z'}),
			},
		},
		status: {value: one.status, source: 'updated', at: one.since - 1},
	});
}

const states = {'needs-permission': 'permission', 'needs-input': 'input', error: 'error'} as const;

function marksOf({sessions, computers}: Weather): Attention['marks'] {
	const computerMarks = Object.entries(computers).flatMap(([id, {failedAt, mark}]) => {
		const episode = failureOf({id, ...failing(failedAt)})?.episode;
		if (!mark || episode === undefined) return [];
		const subject = {kind: 'computer', id} as const;
		return [[subjectKey(subject), {subject, episode, kind: mark, at: noon}] as const];
	});
	return new Map<string, AttentionMark>([
		...computerMarks,
		...Object.entries(sessions).flatMap(([sessionId, {mark, asks, since}]) => {
			if (!mark || !asks || asks === 'done') return [];
			const episode = episodeOf({state: states[asks], since});
			const subject = {kind: 'session', id: sessionId} as const;
			return [[sessionId, {subject, episode, kind: mark, at: noon}] as const];
		}),
	]);
}

export function filterOf(now: Weather): ListFilter {
	const {filter: words, needsOnly, showsArchived, sort, grouping} = now;
	const collapsed = new Set(now.collapsed);
	return {words, needsOnly, showsArchived, sort, grouping, collapsed, marks: marksOf(now)};
}
