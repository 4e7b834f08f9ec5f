import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Lists} from '../../../../src/state/lists/lists.ts';
import {cursorAt, moveCursor, positionOf, restoreCursor} from '../../../../src/state/view/cursor.ts';
import {fleet, knownComputer, knownSession, listsOf, noon, signal} from '../../../support/fleet.ts';

const everything = {words: '', needsOnly: false};

type Shape = {sessions: Record<string, 'asks' | 'idle' | 'running'>; computers: string[]};

function lists({sessions, computers}: Shape): Lists {
	const ids = Object.keys(sessions);
	return listsOf(
		fleet(
			ids.map(id => {
				const value = sessions[id] === 'running' ? 'running' : 'idle';
				return knownSession(id, {status: {value, source: 'updated', at: noon - 1}});
			}),
			computers.map(id => knownComputer(id)),
			ids.filter(id => sessions[id] === 'asks').map(id => signal(id, 'needs-input')),
		),
		everything,
	);
}

const shape = fc.record({
	sessions: fc.dictionary(
		fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
		fc.constantFrom('asks' as const, 'idle' as const, 'running' as const),
	),
	computers: fc.uniqueArray(fc.constantFrom('a', 'x', 'y')),
});

test('moving down and up again returns to the same row, and never leaves the rows', () => {
	fc.assert(
		fc.property(shape, fc.nat(8), (one, steps) => {
			const all = lists(one);
			let cursor = restoreCursor(undefined, all, undefined);
			const first = cursor;
			for (let i = 0; i < steps; i++) cursor = moveCursor(all, cursor, 1);
			expect(moveCursor(all, cursor, -steps)).toEqual(first);
			expect(cursor === undefined || positionOf(all, cursor) !== undefined).toBe(true);
		}),
	);
});

test('the cursor follows a session that begins to need the user', () => {
	const after = lists({sessions: {a: 'idle', b: 'asks'}, computers: []});
	expect(restoreCursor(undefined, after, {section: 'sessions', id: 'b'})).toEqual({
		section: 'needs',
		id: 'b',
	});
});

test('the cursor moves to the next row when its own is gone', () => {
	const before = lists({sessions: {a: 'idle', b: 'idle', c: 'idle'}, computers: []});
	const after = lists({sessions: {a: 'idle', c: 'idle'}, computers: []});
	expect(restoreCursor(before, after, {section: 'sessions', id: 'b'})).toEqual({
		section: 'sessions',
		id: 'c',
	});
	expect(restoreCursor(before, lists({sessions: {}, computers: []}), {section: 'sessions', id: 'b'})).toEqual(
		{
			section: 'sessions',
		},
	);
});

test('an empty section can hold the cursor, and one step leads to the next section', () => {
	const all = lists({sessions: {a: 'idle'}, computers: ['x']});
	expect(cursorAt(all, 'needs', 0)).toEqual({section: 'needs'});
	expect(moveCursor(all, {section: 'needs'}, 1)).toEqual({section: 'sessions', id: 'a'});
	const noSessions = lists({sessions: {}, computers: ['x']});
	expect(moveCursor(noSessions, {section: 'sessions'}, 1)).toEqual({section: 'computers', id: 'x'});
});
