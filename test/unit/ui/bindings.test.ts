import {expect, test} from 'vitest';
import type {User} from '../../../src/domain/organization/user.ts';
import {type AttentionMark, subjectKey} from '../../../src/domain/sessions/attention.ts';
import type {Signal} from '../../../src/domain/sessions/signal.ts';
import {keyLabel} from '../../../src/keys/key-label.ts';
import {parseKey} from '../../../src/keys/key-name.ts';
import type {Organization} from '../../../src/state/organization/organization.ts';
import type {View} from '../../../src/state/view/view.ts';
import {bindings, createKeyMap} from '../../../src/ui/bindings.ts';
import {keyTable} from '../../../src/ui/key-table.ts';
import {type Binding, isEnabled, type Now} from '../../../src/ui/keys/binding.ts';
import {conflictsOf} from '../../../src/ui/keys/conflicts.ts';
import {helpGroups} from '../../../src/ui/keys/help.ts';
import {hintsOf} from '../../../src/ui/keys/hints.ts';
import {type KeyContext, keyContexts} from '../../../src/ui/keys/key-contexts.ts';
import {pressKey} from '../../../src/ui/mouse/zones.ts';
import type {AppParts} from '../../../src/ui/use-app.ts';
import {listsNow} from '../../../src/ui/use-lists.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {asks, fleet, knownComputer, knownSession, noon, signal} from '../../support/fleet.ts';
import {nowOf} from '../../support/now-of.ts';

const keys = createKeyMap();
/** The lists with a session of the service, one of another terminal, and a computer. */
function setUp({state = 'needs-input', mark}: {state?: Signal['state']; mark?: AttentionMark['kind']} = {}) {
	const parts = appParts(fakeClock(noon));
	parts.stores.fleet.setState(
		fleet(
			[knownSession('s', {session: {sessionId: 's', status: 'idle'}}), knownSession('t', {origin: 'hook'})],
			[knownComputer('c')],
			[signal('s', state), signal('t', 'working')],
		),
	);
	if (mark) {
		const {episode = ''} = listsNow(parts).all.sessionsById.get('s') ?? {};
		const subject = {kind: 'session', id: 's'} as const;
		const marks = new Map([[subjectKey(subject), {subject, episode, kind: mark, at: noon}]]);
		parts.stores.attention.setState({marks});
	}
	return parts;
}

const atSession = {cursor: {section: 'sessions', id: 's'}} as const;
const inStream = {shown: {kind: 'session', id: 's'}, focus: 'main'} as const;

/** The first hints of the footer, as `action: label`. */
const hints = (now: Now) => hintsOf(keys, now).map(({binding, label}) => `${binding.action}: ${label}`);
const actionsIn = (now: Now) => hintsOf(keys, now).map(({binding}) => binding.action);

test('no key means two things in one place, or in places that apply at once', () => {
	expect(
		conflictsOf(bindings).map(({key, contexts, second}) => `${key} in ${contexts}: ${second.action}`),
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

test('every title fits the palette at 80 columns, even if it is disabled', () => {
	const room = 80 - 10;
	const listed = keys.bindings.filter(({isPaletteHidden}) => !isPaletteHidden);
	const rows = listed.map(
		({title, keys: own}) => `${title} disabled ${own.slice(0, 2).map(keyLabel).join(' ')}`,
	);
	expect(rows.filter(row => row.trim().length > room)).toEqual([]);
});

test('a key that is disabled in a dialog says why, too, and does nothing', () => {
	const parts = setUp();
	const open = {name: parts.profile.name, isLocal: false, keyFrom: 'environment'} as const;
	const dialogs = [{kind: 'profiles', entries: [open], index: 0}] as const;
	parts.view.setState({dialogs});
	const reasons = ['enter', 'x', 'K'].map(key => {
		pressKey(parts, key);
		return parts.stores.notices.getState().list.at(-1)?.text;
	});
	expect(reasons).toEqual([
		'This profile is open already',
		'This profile is open: open another one first',
		'The key comes from QUARTERDECK_API_KEY: change it there, and start again',
	]);
	expect(parts.view.getState().dialogs).toEqual(dialogs);
});

test('n creates a session and N a computer, wherever the focus is', () => {
	expect(keys.find(['computers', 'lists'], 'n')?.action).toBe('new-session');
	expect(keys.find(['computers', 'lists'], 'N')?.action).toBe('new-computer');
	expect(keys.find(['sessions', 'lists'], 'n')?.action).toBe('new-session');
	expect(keys.find(['stream'], 'N')?.action).toBe('new-computer');
	expect(keys.find(['found', 'stream'], 'N')?.action).toBe('find-previous');
});

test('where something needs the user, the footer begins with the keys for that', () => {
	const first = (parts: AppParts, changes: Partial<View>) =>
		hints(nowOf(parts, undefined, changes)).slice(0, 3);
	const [acknowledge, next] = ['acknowledge: acknowledge', 'next-needs: next'];
	expect(first(setUp(), atSession)).toEqual(['reply: reply', acknowledge, next]);
	expect(first(setUp(), inStream)).toEqual(['compose: write', acknowledge, next]);
	const asked = setUp();
	const session = {sessionId: 's', status: 'active'} as const;
	asked.stores.fleet.setState(fleet([knownSession('s', {session, activity: asks})]));
	expect(first(asked, inStream)).toEqual(['answer-request: answer', 'compose: write', acknowledge]);
	// A hosted service takes messages, but no answers.
	const hosted = {...asked, profile: {...asked.profile, isConnected: true, host: 'agents.example'}};
	expect(first(hosted, inStream)).toEqual(['compose: write', acknowledge, next]);
	const answer = keys.find(['stream'], '!');
	expect(answer && isEnabled(answer, nowOf(hosted, undefined, inStream))).toMatch(
		/answer where the agent runs/,
	);
	const other = {cursor: {section: 'sessions', id: 't'}} as const;
	expect(hints(nowOf(setUp(), undefined, other))).toContain('next-needs: needs you');
	const isTable = {page: 'sessions'} as const;
	expect(hints(nowOf(setUp(), undefined, isTable)).slice(0, 3)).not.toContain(next);
});

test('the footer of an empty list offers nothing to open or to filter', () => {
	expect(actionsIn(nowOf(setUp(), undefined, atSession))).toEqual(expect.arrayContaining(['open', 'filter']));
	const empty = appParts(fakeClock(noon));
	expect(hints(nowOf(empty))).toContain('add: add session by id');
	expect(hints(nowOf(empty, undefined, {page: 'computers'}))).toContain('add: add computer by id');
	for (const page of ['work', 'sessions', 'computers', 'events'] as const)
		expect(
			actionsIn(nowOf(empty, undefined, {page})).filter(action => /^(open|filter|order)/.test(action)),
			page,
		).toEqual([]);
	const users = (data: readonly User[]) => {
		empty.stores.organization.setState({users: {data}} as Partial<Organization>);
		return actionsIn(nowOf(empty, undefined, {page: 'users'}));
	};
	expect(users([])).not.toContain('open-row');
	expect(users([{email: 'ada@acme.example'} as User])).toContain('open-row');
});

test("a session that needs nobody says why it can't be acknowledged", () => {
	const acknowledge = keys.find(['stream'], 'm');
	const why = (state: Signal['state']) =>
		acknowledge && isEnabled(acknowledge, nowOf(setUp({state}), undefined, inStream));
	expect(why('working')).toMatch(/doesn't need you now/);
	expect(why('needs-input')).toBe(true);
});

test('the footer says what a key does to a session that was acknowledged or snoozed', () => {
	const labels = (mark?: AttentionMark['kind']) =>
		hintsOf(keys, nowOf(setUp({mark}), undefined, atSession))
			.filter(({binding}) => binding.action === 'acknowledge' || binding.action === 'snooze')
			.map(({label}) => label);
	expect(labels()).toEqual(['acknowledge', 'snooze']);
	expect(labels('acknowledged')).toEqual(['back to Needs you', 'snooze']);
	expect(labels('snoozed')).toEqual(['acknowledge', 'end the snooze']);
});

test('the footer says that Esc clears a kept filter, once no marks are left', () => {
	const kept = {page: 'sessions', filters: {sessions: 'shop'}} as const;
	const at = (view: object) => hints(nowOf(setUp(), ['session-table'], view));
	expect(at(kept)[0]).toBe('back: clear filter');
	const {sessions} = setUp().view.getState();
	expect(at({...kept, sessions: {...sessions, marked: new Set(['s'])}})).not.toContain('back: clear filter');
	expect(at({page: 'sessions'})).not.toContain('back: clear filter');
});

test.each(['usage', 'users'] as const)(
	'the footer says that Esc goes from an opened item of %s to its list, which keeps its filter',
	page => {
		const parts = setUp();
		const {organization} = parts.view.getState();
		const view = {page, filters: {[page]: 'yuki'}, organization: {...organization, opened: {[page]: 'u1'}}};
		const shown = hints(nowOf(parts, undefined, view));
		expect(shown).toContain('back: list');
		expect(shown).not.toContain('back: clear filter');
	},
);

test('the footer says that an archived session is listed again, also for those marked', () => {
	const parts = setUp();
	const archived = (id: string) =>
		knownSession(id, {session: {sessionId: id, sessionSettings: {archivedAt: '2026-01-01T00:00:00Z'}}});
	parts.stores.fleet.setState(fleet([archived('s'), knownSession('live')]));
	const at = (id: string) =>
		hints(nowOf(parts, ['session-table'], {page: 'sessions', tableCursors: {sessions: id}}));
	expect(at('s')).toContain('archive: list again');
	expect(at('live').filter(hint => hint.startsWith('archive'))).toEqual([]);
});

test('a session that runs outside the service offers no reply', () => {
	const atOutside = {cursor: {section: 'sessions', id: 't'}} as const;
	expect(actionsIn(nowOf(setUp(), undefined, atOutside))).not.toContain('reply');
	expect(actionsIn(nowOf(setUp(), undefined, atSession))).toContain('reply');
});

test('help finds actions by word, key and place, and says why a key is disabled', () => {
	const actions = (query: string, ...contexts: KeyContext[]) =>
		helpGroups(keys, query, nowOf(setUp(), contexts)).flatMap(({entries}) =>
			entries.map(({binding}) => binding.action),
		);
	expect(helpGroups(keys, 'output install', nowOf(setUp(), ['computers', 'lists']))).toMatchObject([
		{title: 'Computers in Work', isHere: true, entries: [{keys: ['i'], reason: /only an install/}]},
	]);
	expect(actions('ctrl+j')).toEqual(['newline']);
	expect(new Set(actions('u'))).toEqual(new Set(['undo', 'tab-autonomy', 'hooks-other']));
	expect(actions('retry-install')).toEqual(['retry-install']);
	for (const words of ['offline', 'reconnect', 'try again', 'retry'])
		expect(actions(words, 'stream'), words).toContain('refresh');
	expect(actions('no such thing')).toEqual([]);
});

test('help shows the focused place first, then every view, and each binding once', () => {
	const groups = helpGroups(keys, '', nowOf(setUp(), ['computers', 'lists']));
	expect(groups.slice(0, 4).map(({title}) => title)).toEqual([
		'Computers in Work',
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
	['down', '↓'],
	['alt+backspace', 'Alt+Backspace'],
	['f2', 'F2'],
	['ctrl++', 'Ctrl++'],
])('%s is shown as %s', (key, label) => {
	expect(keyLabel(key)).toBe(label);
});

test('the table of keys lists the most used keys of every view, one row per place', () => {
	const rows = keyTable().trimEnd().split('\n');
	expect(rows[2]).toMatch(/^\| Every view \| .*`\?` keys · `q` quit \|$/);
	expect(rows.every(row => /^\| .+ \| .+ \|$/.test(row))).toBe(true);
	expect(rows.length).toBeLessThan(30);
	expect(keyTable()).not.toContain('| Questions |');
});
