import type {KnownSession} from '../../src/domain/known.ts';
import {type AttentionMark, type Subject, subjectKey} from '../../src/domain/sessions/attention.ts';
import {appParts} from './app-parts.ts';
import {fakeClock} from './fake-clock.ts';
import {fleet, knownComputer, knownSession, signal} from './fleet.ts';
import {has, openScreen} from './screen.tsx';

const minute = 60_000;
/** Columns and rows of the screens that a test runs on. */
export const sizes: readonly (readonly [number, number])[] = [
	[40, 12],
	[120, 40],
];

/** Six sessions, two of which ask, on two computers; the engine's answers about marks and pins come true at once. It closes with the test. */
export async function openSessions(columns: number, rows: number) {
	const clock = fakeClock();
	const parts = appParts(clock);
	const now = clock.now();
	const session = (id: string, title: string, ago: number, more: Partial<KnownSession> = {}) =>
		knownSession(id, {
			addedAt: now - ago * minute,
			computerId: 'box',
			session: {sessionId: id, title, createdAt: now - ago * minute},
			status: {value: 'idle', source: 'updated', at: now - ago * minute},
			wasEmpty: true,
			...more,
		});
	const tagged = (name: string) => ({
		session: {sessionId: 's-docs', title: 'docs-sync', sessionSettings: {tags: [{name}]}},
	});
	const asks = (id: string, ago: number, message: string) =>
		signal(id, 'needs-permission', {message, since: now - ago * minute, lastEventAt: now - ago * minute});
	parts.stores.fleet.setState(
		fleet(
			[
				session('s-api', 'api-migration', 9),
				session('s-login', 'fix-login', 8),
				session('s-docs', 'docs-sync', 7, tagged('urgent')),
				session('s-shop', 'shop', 6, {computerId: 'gpu'}),
				session('s-cart', 'cart', 5, {status: {value: 'running', source: 'updated', at: now}}),
				session('s-search', 'search-index', 4),
			],
			[knownComputer('box', {name: 'build-box'}), knownComputer('gpu', {name: 'gpu-1'}, now - 1)],
			[asks('s-api', 3, 'May I run the migration?'), asks('s-login', 12, 'May I push?')],
		),
	);
	parts.stores.connection.setState({state: 'polling', okAt: now, nextAt: now + 3000, latency: 84});
	const {engine} = parts.actions;
	const marks = () => new Map(parts.stores.attention.getState().marks);
	engine.attention.put = (mark: AttentionMark) =>
		parts.stores.attention.setState({marks: marks().set(subjectKey(mark.subject), mark)});
	engine.attention.remove = (subject: Subject) => {
		const left = marks();
		left.delete(subjectKey(subject));
		parts.stores.attention.setState({marks: left});
	};
	engine.registry.markSession = (id, change) => {
		const {sessions} = parts.stores.fleet.getState();
		const known = sessions.get(id);
		if (known) parts.stores.fleet.setState({sessions: new Map(sessions).set(id, {...known, ...change})});
	};
	const screen = openScreen(parts, columns, rows);
	await screen.until(has('fix-login'));
	return {parts, screen, clock};
}

/** The rows at which these names stand in the lists. */
export const order = (rows: readonly string[], ...names: readonly string[]) =>
	names.map(name => rows.findIndex(row => row.slice(0, 44).includes(name)));
