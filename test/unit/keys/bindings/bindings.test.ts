import {expect, test} from 'vitest';
import {type Binding, bindings, isEnabled} from '../../../../src/keys/bindings/bindings.ts';
import {conflictsOf} from '../../../../src/keys/conflicts.ts';
import {helpGroups} from '../../../../src/keys/help.ts';
import {hintsOf} from '../../../../src/keys/hints.ts';
import {type KeyContext, keyContexts} from '../../../../src/keys/key-contexts.ts';
import {keyLabel} from '../../../../src/keys/key-label.ts';
import {createKeyMap} from '../../../../src/keys/key-map.ts';
import {parseKey} from '../../../../src/keys/key-name.ts';
import type {KeyState} from '../../../../src/keys/key-state.ts';
import {readmeTable} from '../../../../src/keys/readme-table.ts';

const keys = createKeyMap();
const facts: KeyState = {
	needsCount: 0,
	isListEmpty: false,
	isListHidden: false,
	hasRequest: false,
	install: 'The dependency install is running.',
	isMessageSelected: false,
	canCollapse: false,
	canResend: false,
	canTakeBack: false,
	queuedCount: 0,
	attachmentCount: 0,
	otherDraftCount: 0,
	hasIncidents: false,
	isTurnRunning: false,
	isComposerEmpty: true,
	canUndo: false,
	isOutside: false,
	isEmbedded: true,
	terminal: true,
	continuation: true,
	hasWorktree: false,
	isEventSelected: false,
	isBlocked: false,
	isDown: false,
	isKeyRefused: false,
	canReplaceKey: true,
	isConnected: true,
};

test('no key means two things in one place, or in places that apply at once', () => {
	expect(
		conflictsOf(bindings).map(({key, context, second}) => `${key} in ${context}: ${second.action}`),
	).toEqual([]);
	const seen = new Set<string>();
	for (const {keys: own, contexts} of bindings)
		for (const context of contexts)
			for (const key of own) {
				expect(seen.has(`${context} ${key}`), `${context} ${key}`).toBe(false);
				seen.add(`${context} ${key}`);
			}
});

test('every key is written as a user could choose it', () => {
	for (const key of bindings.flatMap(binding => binding.keys))
		expect(parseKey(key), key).toEqual(/^shift\+backspace$/.test(key) ? {key: 'shift+backspace'} : {key});
});

test('every transient place has a key for the way out', () => {
	for (const [context, place] of Object.entries(keyContexts))
		if (place.isTransient)
			expect(
				bindings.some(
					({contexts, isWayOut, keys: own}) =>
						isWayOut && own.length > 0 && contexts.some(one => one === context),
				),
				context,
			).toBe(true);
});

test('keys that tmux and shells want stay free', () => {
	const isTheirs = (key: string) => /^(ctrl\+[ab]|alt\+.)$/.test(key);
	const isTyping = (binding: Binding) =>
		binding.contexts.every(context => context === 'composer' || context === 'form');
	const taken = bindings.filter(binding => !isTyping(binding)).flatMap(binding => binding.keys);
	expect(taken.filter(isTheirs)).toEqual([]);
	// Where text is typed they are what shells have, and Ctrl+A and Ctrl+B never the only key.
	for (const {keys, title} of bindings.filter(isTyping))
		expect(keys.length > 0 && keys.every(key => /^ctrl\+[ab]$/.test(key)), title).toBe(false);
});

test('a disabled key says why', () => {
	const copy = keys.find(['stream'], 'y');
	expect(copy && isEnabled(copy, facts)).toBe('No messages here yet');
	expect(copy && isEnabled(copy, {...facts, isMessageSelected: true})).toBe(true);
});

test('n creates a session and N a computer, wherever the focus is', () => {
	expect(keys.find(['computers', 'lists'], 'n')?.action).toBe('new-session');
	expect(keys.find(['computers', 'lists'], 'N')?.action).toBe('new-computer');
	expect(keys.find(['sessions', 'lists'], 'n')?.action).toBe('new-session');
	expect(keys.find(['stream'], 'N')?.action).toBe('new-computer');
	expect(keys.find(['found', 'stream'], 'N')?.action).toBe('find-previous');
});

test('the footer shows only what works now', () => {
	const hints = (state: KeyState) =>
		hintsOf(keys, ['computers', 'lists'], state).map(({binding}) => binding.action);
	expect(hints(facts)).not.toContain('open-session');
	expect(hints({...facts, computerId: 'c1'})).toContain('open-session');
});

test('where something needs the user, the footer begins with the keys for that', () => {
	const hints = (contexts: readonly KeyContext[], state: Partial<KeyState>) =>
		hintsOf(keys, contexts, {...facts, sessionId: 's', isAsking: true, needsCount: 2, ...state})
			.slice(0, 3)
			.map(({binding, label}) => `${binding.action}: ${label}`);
	const [acknowledge, next] = ['acknowledge: acknowledge', 'next-needs: next'];
	expect(hints(['sessions', 'lists'], {})).toEqual(['reply: reply', acknowledge, next]);
	expect(hints(['stream'], {})).toEqual(['compose: write', acknowledge, next]);
	expect(hints(['stream'], {hasRequest: true})).toEqual([
		'answer-request: answer',
		'compose: write',
		acknowledge,
	]);
	expect(hints(['stream'], {isAsking: false})).toContain('next-needs: needs you');
	expect(hints(['sessions', 'lists'], {mark: 'snoozed'})[0]).toBe('next-needs: needs you');
	expect(hints(['session-table'], {})).not.toContain(next);
});

test('the footer of an empty list offers nothing to open or to filter', () => {
	const hints = (context: KeyContext, isListEmpty: boolean) =>
		hintsOf(keys, [context], {...facts, isListEmpty, ...(!isListEmpty && {sessionId: 's'})}).map(
			({binding}) => binding.action,
		);
	expect(hints('lists', false)).toEqual(expect.arrayContaining(['open', 'filter']));
	expect(hints('lists', true)).toContain('add');
	expect(hints('opening', false)).toEqual(['open-row']);
	for (const context of ['lists', 'session-table', 'computer-table', 'events', 'opening'] as const)
		expect(hints(context, true).filter(action => /^(open|filter|order)/.test(action))).toEqual([]);
});

test("a question that was read says why it can't be acknowledged", () => {
	const acknowledge = keys.find(['stream'], 'm');
	expect(acknowledge && isEnabled(acknowledge, {...facts, sessionId: 's', isRead: true})).toMatch(
		/have read it/,
	);
	expect(acknowledge && isEnabled(acknowledge, {...facts, sessionId: 's', isAsking: true})).toBe(true);
});

test('the footer says what a key does to a session that was acknowledged or snoozed', () => {
	const labels = (mark?: KeyState['mark']) =>
		hintsOf(keys, ['sessions', 'lists'], {...facts, sessionId: 's', isAsking: true, ...(mark && {mark})})
			.filter(({binding}) => binding.action === 'acknowledge' || binding.action === 'snooze')
			.map(({label}) => label);
	expect(labels()).toEqual(['acknowledge', 'snooze']);
	expect(labels('acknowledged')).toEqual(['needs you again', 'snooze']);
	expect(labels('snoozed')).toEqual(['acknowledge', 'end the snooze']);
});

test('a session that runs outside the service offers no reply', () => {
	const actions = hintsOf(keys, ['sessions', 'lists'], {...facts, sessionId: 's', isOutside: true});
	expect(actions.map(({binding}) => binding.action)).not.toContain('reply');
});

test('help finds actions by word, key and place, and says why a key is disabled', () => {
	const actions = (query: string, ...contexts: Parameters<typeof helpGroups>[2]) =>
		helpGroups(keys, query, contexts, facts).flatMap(({entries}) =>
			entries.map(({binding}) => binding.action),
		);
	expect(helpGroups(keys, 'output install', ['computers', 'lists'], facts)).toMatchObject([
		{title: 'Computers', isHere: true, entries: [{keys: ['i'], reason: /names no session/}]},
	]);
	expect(actions('ctrl+j')).toEqual(['newline']);
	expect(actions('retry-install')).toEqual(['retry-install']);
	for (const words of ['offline', 'reconnect', 'try again', 'retry'])
		expect(actions(words, 'stream'), words).toContain('refresh');
	expect(actions('no such thing')).toEqual([]);
});

test('help shows the focused place first, then every view, and each binding once', () => {
	const groups = helpGroups(keys, '', ['computers', 'lists'], facts);
	expect(groups.slice(0, 4).map(({title}) => title)).toEqual([
		'Computers',
		'Lists',
		'Every view',
		'Everywhere',
	]);
	expect(groups.map(({isHere}) => isHere)).toEqual(groups.map((_, index) => index < 4));
	const shown = groups.flatMap(({entries}) => entries.map(({binding}) => binding));
	expect(new Set(shown).size).toBe(shown.length);
	expect(shown).toHaveLength(bindings.length);
	// Within a place, what can be done now comes first.
	for (const {entries} of groups) {
		const disabled = entries.findIndex(({reason}) => reason !== undefined);
		if (disabled >= 0) expect(entries.slice(disabled).every(({reason}) => reason !== undefined)).toBe(true);
	}
	expect(groups.some(({entries}) => entries.at(-1)?.reason !== undefined)).toBe(true);
});

test.each([
	['ctrl+d', 'Ctrl+D'],
	['shift+tab', 'Shift+Tab'],
	['G', 'G'],
	['j', 'j'],
	['down', '↓'],
	['alt+backspace', 'Alt+Backspace'],
	['f2', 'F2'],
	['ctrl++', 'Ctrl++'],
	['+', '+'],
])('%s is shown as %s', (key, label) => {
	expect(keyLabel(key)).toBe(label);
});

test('the README table lists the most used keys of every view, one row per place', () => {
	const rows = readmeTable().trimEnd().split('\n');
	expect(rows[2]).toMatch(/^\| Every view \| .*`\?` keys · `q` quit \|$/);
	expect(rows.every(row => /^\| .+ \| .+ \|$/.test(row))).toBe(true);
	expect(rows.length).toBeLessThan(30);
	expect(readmeTable()).not.toContain('| Questions |');
});
