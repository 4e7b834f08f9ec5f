import {expect, test} from 'vitest';
import {sessionItems} from '../../../src/state/sessions/session-items.ts';
import {alsoIn, nextOfRepository, sharedFiles} from '../../../src/state/sessions/shared-files.ts';
import {knownSession} from '../../support/fleet.ts';

const session = (id: string, folder: string, paths: readonly string[], archivedAt = '') =>
	knownSession(id, {
		computerId: 'box',
		session: {
			sessionId: id,
			title: `title of ${id}`,
			workFolder: {folder, repository: '/shop/.git', paths},
			sessionSettings: {archivedAt},
		},
	});

const sessions = new Map(
	[
		session('a', '/shop', ['api.ts', 'only-a.ts']),
		session('b', '/trees/b', ['api.ts', 'b.ts']),
		session('beside-b', '/trees/b', ['api.ts', 'b.ts']),
		session('archived', '/trees/c', ['only-a.ts'], '2026-05-01T10:00:00Z'),
	].map(one => [one.id, one]),
);

test('sessions in other worktrees that change the same file are named on both sides', () => {
	const shared = sharedFiles(sessions);
	expect(shared.get('a')).toEqual(new Map([['api.ts', ['b', 'beside-b']]]));
	expect(shared.get('b')).toEqual(new Map([['api.ts', ['a']]]));
	expect(shared.has('archived')).toBe(false);
});

test('the same path in another repository, or on another computer, is another file', () => {
	const a = session('a', '/shop', ['api.ts']);
	const b = session('b', '/trees/b', ['api.ts']);
	const elsewhere = {...b, computerId: 'laptop'};
	expect(sharedFiles(new Map([a, elsewhere].map(one => [one.id, one]))).size).toBe(0);
	const workFolder = {...b.session?.workFolder, repository: '/other/.git'};
	const other = {...b, session: {sessionId: 'b', workFolder}};
	expect(sharedFiles(new Map([a, other].map(one => [one.id, one]))).size).toBe(0);
});

test('items have their names, for each file or for any', () => {
	const items = sessionItems({computers: new Map(), sessions, signals: new Map()}, {bySession: new Map()});
	const shared = items.find(({id}) => id === 'b')?.shared;
	expect(alsoIn(shared)).toBe('also in title of a');
	expect(alsoIn(shared, 'api.ts')).toBe('also in title of a');
	expect(alsoIn(shared, 'b.ts')).toBeUndefined();
	expect(alsoIn(new Map([['a', ['a title with very many words']]]))).toMatch(/^also in a title.{0,13}…$/);
});

test('the next session is one in each other folder of the repository, in turns', () => {
	const next = (id: string) => nextOfRepository(sessions, id);
	expect(['a', 'beside-b', 'b', 'archived', 'nobody'].map(next)).toEqual([
		'beside-b',
		'a',
		'a',
		'beside-b',
		undefined,
	]);
	const byTitle = new Map(['c', 'a', 'b'].map(id => [id, session(id, `/trees/${id}`, [])] as const));
	expect(['a', 'b', 'c'].map(id => nextOfRepository(byTitle, id))).toEqual(['b', 'c', 'a']);
	const elsewhere = {...session('far', '/trees/far', []), computerId: 'laptop'};
	const two = new Map([session('a', '/shop', ['a.ts']), elsewhere].map(one => [one.id, one]));
	expect(nextOfRepository(two, 'a')).toBeUndefined();
});
