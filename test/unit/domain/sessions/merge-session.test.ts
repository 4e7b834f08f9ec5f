import {expect, test} from 'vitest';
import type {KnownSession} from '../../../../src/domain/known.ts';
import {mergeSession} from '../../../../src/domain/sessions/session.ts';

const before: KnownSession = {id: 's', origin: 'hook', addedAt: 1, name: 'old', pinned: true};
const status = {value: 'running', source: 'hook', at: 2} as const;

test.each([
	{what: 'theirs stays', kept: {...before, name: 'theirs', cwd: '/srv'}, next: {...before, status}},
	{what: 'ours is changed', kept: before, next: {...before, name: 'ours'}},
	{what: 'of both, ours counts', kept: {...before, name: 'theirs'}, next: {...before, name: 'ours'}},
	{what: 'nothing here changes nothing', kept: {...before, name: 'theirs'}, next: before},
])('$what', ({kept, next}) => {
	const changed = Object.entries(next).filter(
		([fact, value]) => before[fact as keyof KnownSession] !== value,
	);
	expect(mergeSession(kept, before, next)).toEqual({...kept, ...Object.fromEntries(changed)});
});

test("removes what was removed here, and doesn't restore what was removed there", () => {
	const {pinned: _, ...unpinned} = before;
	const {name: __, ...unnamed} = before;
	expect(mergeSession(unnamed, before, unpinned)).toStrictEqual({id: 's', origin: 'hook', addedAt: 1});
});
