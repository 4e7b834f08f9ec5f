import {globSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {expect, test} from 'vitest';
import {stateWords} from '../../../src/domain/list-filter/filter.ts';
import {sessionLook, stateNames} from '../../../src/state/sessions/session-look.ts';
import type {SessionState} from '../../../src/state/sessions/session-state.ts';
import {eventTexts} from '../../../src/ui/dialogs/away-row.ts';

const top = resolve(import.meta.dirname, '../../..');

const words = ['asks', 'failed', 'done', 'working', 'idle', '?'];
/** What becomes of a message, a session or its place in Needs you. */
const others = ['unsent', 'unconfirmed', 'ended', 'archived', 'acknowledged', 'snoozed'];

const states: Readonly<Record<SessionState, true>> = {
	permission: true,
	input: true,
	error: true,
	unsent: true,
	done: true,
	working: true,
	pending: true,
	idle: true,
	ended: true,
	unknown: true,
	raw: true,
};

test('a state has the same word in lists, commands, the filter and while the user was away', () => {
	const shown = Object.keys(states).flatMap(state => {
		const item = {state: state as SessionState, isSettled: true} as const;
		return [item, {...item, isAssumed: true, knownAt: 0} as const].map(one => sessionLook(one, 1).word);
	});
	const ofComputers = ['waiting', 'active', 'provisioning', 'is up'];
	const named = [...shown, ...stateNames, ...stateWords, ...Object.values(eventTexts)];
	const bare = named.map(word => (word.length > 1 ? word.replace(/\?$/, '') : word));
	expect(bare.filter(word => ![...words, ...others, ...ofComputers].includes(word))).toEqual([]);
});

/** Other words for these states: as the whole of a text, or as code in a guide. */
const gone =
	/safe`(?:approve|reply|asked|answered|unread|pending)`|`(?:approve|asked|answered)`|your.turn|Asked, read/gi;

test('no text of the program and no guide has another word for a state', () => {
	const files = [
		'README.md',
		'CHANGELOG.md',
		...globSync(['src/**/*.{ts,tsx,md}', 'hooks/*.md'], {cwd: top}),
	];
	const found = files.flatMap(file =>
		[...readFileSync(join(top, file), 'utf8').matchAll(gone)].map(([text]) => `${file}: ${text}`),
	);
	expect(found).toEqual([]);
});
