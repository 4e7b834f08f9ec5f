import fc from 'fast-check';
import {expect, test} from 'vitest';
import {bindings, createKeyMap} from '../../../../src/ui/bindings.ts';
import {type Binding, isEnabled} from '../../../../src/ui/keys/binding.ts';
import {conflictsOf} from '../../../../src/ui/keys/conflicts.ts';
import {hintsOf} from '../../../../src/ui/keys/hints.ts';
import {keyContexts} from '../../../../src/ui/keys/key-contexts.ts';
import {appParts} from '../../../support/app-parts.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {fleet, knownSession} from '../../../support/fleet.ts';
import {nowOf} from '../../../support/now-of.ts';

function mapOf(choices: Readonly<Record<string, readonly string[]>>) {
	return createKeyMap({byAction: new Map(Object.entries(choices)), problems: []});
}

/** What dispatch goes by. */
const bare = (list: readonly Binding[]) => list.map(({action, keys, contexts}) => ({action, keys, contexts}));

function partsWith(sessionId: string) {
	const parts = appParts(fakeClock());
	parts.stores.fleet.setState(fleet([knownSession(sessionId)]));
	return parts;
}

/** The cursor on this item of the lists. */
const at = (section: 'sessions' | 'computers') =>
	nowOf(partsWith('x'), [section, 'lists'], {cursor: {section, id: 'x'}});

test('a chosen key replaces the old ones in dispatch, labels and hints', () => {
	const keys = mapOf({archive: ['ctrl+x', 'F2'], reply: ['ctrl+o']});
	expect(keys.problems).toEqual([]);
	expect(keys.find(['sessions', 'lists'], 'ctrl+x')?.action).toBe('archive');
	expect(keys.find(['stream'], 'f2')?.action).toBe('archive');
	expect(keys.find(['sessions', 'lists'], 'X')).toBeUndefined();
	expect(keys.label('archive')).toBe('Ctrl+X');
	expect(hintsOf(keys, at('sessions')).find(({binding}) => binding.action === 'reply')?.key).toBe('ctrl+o');
});

test("an action can have no key: its label is then the palette's", () => {
	const keys = mapOf({quit: []});
	expect(keys.problems).toEqual([]);
	expect(keys.find(['sessions', 'lists'], 'q')).toBeUndefined();
	expect(hintsOf(keys, at('sessions')).some(({binding}) => binding.action === 'quit')).toBe(false);
	expect(keys.label('quit')).toBe('Ctrl+P');
});

test('titles and reasons name the keys in force, and only actions that exist', () => {
	const keys = mapOf({'new-session': ['ctrl+o'], 'find-next': ['f3'], 'find-previous': ['f4']});
	const of = (action: string) => keys.bindings.find(binding => binding.action === action);
	const sessions = of('list-sessions');
	expect(sessions && isEnabled(sessions, at('computers'))).toMatch(/: Ctrl\+O creates one$/);
	expect(of('keep-find')?.title).toBe('Stay at the match; F3 and F4 go to the others');
	expect(keys.bindings.map(({title}) => title).filter(title => /\{[a-z-]+\}/.test(title))).toEqual([]);
	const named = bindings.flatMap(({title}) => [...title.matchAll(/\{([a-z-]+)\}/g)].map(([, name]) => name));
	const actions: readonly string[] = bindings.map(({action}) => action);
	expect(named.filter(name => !actions.includes(name ?? ''))).toEqual([]);
});

test('a conflict names both actions, the key and the place; the chosen action gets the key', () => {
	const keys = mapOf({density: ['n']});
	expect(keys.problems).toEqual([
		'n is density, not new-session, in Sessions in Work: give new-session another key',
	]);
	expect(keys.find(['sessions', 'lists'], 'n')?.action).toBe('density');
	expect(keys.find(['computers', 'lists'], 'n')?.action).toBe('new-session');
	const lost = keys.bindings.find(({action}) => action === 'new-session');
	expect(lost && keys.keysOf(lost, ['sessions', 'lists'])).toEqual([]);
});

test('one name is one action in every view', () => {
	const keys = mapOf({archive: ['ctrl+a']});
	const where = [['sessions', 'lists'], ['stream'], ['session-table', 'lists']] as const;
	expect(where.map(contexts => keys.find(contexts, 'ctrl+a')?.action)).toEqual([
		'archive',
		'archive',
		'archive',
	]);
	expect(where.map(contexts => keys.find(contexts, 'X'))).toEqual([undefined, undefined, undefined]);
});

test('places that apply at once count as one: a key of the lists conflicts with the sessions', () => {
	const keys = mapOf({'needs-only': ['n']});
	expect(keys.problems).toEqual([
		expect.stringMatching(/^n is .*, not .*, in Sessions in Work, Computers in Work: /),
	]);
	expect(keys.find(['sessions', 'lists'], 'n')?.action).toBe('needs-only');
	expect(keys.find(['stream'], 'n')?.action).toBe('new-session');
});

test('nothing takes the key of a way out', () => {
	const keys = mapOf({'list-down': ['escape']});
	expect(keys.problems).toContainEqual(
		expect.stringMatching(/^Esc is cancel, not list-down, in \w[^:]+: give list-down another key$/),
	);
	expect(keys.find(['palette'], 'escape')?.action).toBe('cancel');
});

test.each([
	[{archvie: ['x']}, 'there is no action archvie; did you mean archive?'],
	[{xyzzyplugh: ['x']}, 'there is no action xyzzyplugh'],
	[{archive: ['cltr+x']}, 'archive: there is no key cltr+x; did you mean ctrl?'],
	[{archive: ['ctrl+c']}, 'archive: ctrl+c is reserved: it always quits'],
	[{archive: ['Ctrl+Z']}, 'archive: ctrl+z is reserved: it suspends the program'],
	[{interrupt: ['f1']}, "interrupt: its key can't be changed"],
	[{interrupt: []}, "interrupt: its key can't be changed"],
	[{cancel: []}, 'cancel: it needs a key, as the only way out'],
	[{send: ['x', 'f3']}, 'send: x would type text there'],
])('reports %j and changes nothing', (choices, problem) => {
	const keys = mapOf(choices);
	expect(keys.problems).toEqual([problem]);
	expect(bare(keys.bindings)).toEqual(bare(bindings));
});

test('where text is typed, a character stays text, and the action keeps its keys', () => {
	const keys = mapOf({cancel: ['q']});
	expect(keys.problems).toEqual([]);
	expect(keys.find(['confirm'], 'q')?.action).toBe('cancel');
	expect(keys.find(['confirm'], 'escape')).toBeUndefined();
	expect(keys.find(['form'], 'q')).toBeUndefined();
	expect(keys.find(['form'], 'escape')?.action).toBe('cancel');
	expect(mapOf({palette: [';', 'f2']}).find(['composer'], 'f2')?.action).toBe('palette');
});

test('whatever is chosen, ctrl+c stays, no way out is lost, and each conflict is reported', () => {
	const action = fc.oneof(fc.constantFrom(...new Set(bindings.map(binding => binding.action))), fc.string());
	const key = fc.oneof(
		fc.constantFrom(...new Set(bindings.flatMap(binding => binding.keys))),
		fc.constantFrom('ctrl+c', 'Ctrl+Z', 'f5', 'ctrl+i'),
		fc.string({maxLength: 6}),
	);
	fc.assert(
		fc.property(fc.dictionary(action, fc.array(key, {maxLength: 3})), choices => {
			const keys = mapOf(choices);
			expect(keys.find(['everywhere'], 'ctrl+c')?.action).toBe('interrupt');
			const passing = Object.entries(keyContexts).flatMap(([name, {isTransient}]) =>
				isTransient ? [name as keyof typeof keyContexts] : [],
			);
			const lost = passing.filter(
				context =>
					!keys.bindings.some(
						one => one.isWayOut && one.contexts.includes(context) && keys.keysOf(one, [context]).length > 0,
					),
			);
			expect(lost).toEqual([]);
			const unreported = conflictsOf(keys.bindings).filter(
				({first, second}) =>
					!keys.problems.some(text => text.includes(first.action) && text.includes(second.action)),
			);
			expect(unreported).toEqual([]);
		}),
		{numRuns: 60},
	);
});

test.each([
	['ш', 'details'],
	['Ч', 'archive'],
	['ctrl+з', 'palette'],
	['é', undefined],
])('%s is the key at its place on a US keyboard', (key, action) => {
	expect(createKeyMap().find(['sessions', 'lists', 'everywhere'], key)?.action).toBe(action);
	expect(mapOf({help: [key]}).find(['sessions', 'lists', 'everywhere'], key)?.action).toBe('help');
});
