import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {KnownSession} from '../../../src/domain/known.ts';
import type {SessionActivity} from '../../../src/domain/sessions/activity.ts';
import {computerItems} from '../../../src/state/computers/computer-items.ts';
import type {NeedsItem} from '../../../src/state/lists/lists.ts';
import {type Grouping, groupings} from '../../../src/state/sessions/session-groups.ts';
import {type SessionItem, sessionItems} from '../../../src/state/sessions/session-items.ts';
import {lineText, lineWidth} from '../../../src/text/cells/line.ts';
import {itemRow, itemRowChangesAt, type RowOptions} from '../../../src/ui/panes/session-row.ts';
import {
	emptyOutbox,
	fleet,
	knownComputer,
	knownSession,
	noon,
	outboxItem,
	signal,
} from '../../support/fleet.ts';

const minute = 60_000;
/** Columns of a row in the lists of a screen with fewer than 120 columns, and with nearly 200. */
const [narrow, wide] = [32, 52];

function activity(more: Partial<SessionActivity>): SessionActivity {
	const at = noon - minute;
	return {state: 'done', evidence: 'answer', at, newestId: 'm', changedAt: at, unread: 0, ...more};
}

function item(known: Partial<KnownSession>, ...signals: Parameters<typeof signal>[1][]): SessionItem {
	// The service has said that the turn is over.
	const status = {value: 'idle', source: 'updated', at: noon} as const;
	const isOver = known.activity && known.activity.state !== 'working';
	const session = knownSession('s', {computerId: 'gpu', ...(isOver && {status}), ...known});
	const reported = signals.map(state => signal('s', state, {message: 'May I push?', cwd: '/home/me/shop'}));
	const [one] = sessionItems(
		fleet([session], [knownComputer('gpu', {name: 'gpu-1'})], reported),
		emptyOutbox,
	);
	return one as SessionItem;
}

function row(of: NeedsItem, more: Partial<RowOptions> = {}): string[] {
	const usual = {
		isDetailed: false,
		hasDraft: false,
		grouping: 'state',
		hasComputers: false,
		isSpinnerStill: false,
		isScreenReader: false,
	} as const;
	return itemRow(of, {width: narrow, now: noon, ...usual, ...more}).map(line => lineText(line).trimEnd());
}

const long = 'Find out why the nightly build of the docs is slow';
const finished = (unread: number, more: Partial<SessionActivity> = {}) =>
	item({name: long, activity: activity({unread, words: 'All of it is cached now.', ...more})});

test('sub-agents at work are counted in the row of their session', () => {
	const working = item({
		name: 'Docs',
		activity: activity({state: 'working', tool: 'Bash', userAt: noon - 5000}),
		session: {sessionId: 's', subagents: 3},
	});
	expect(row(working, {width: wide})[0]).toMatch(/ Docs {2}▸ 3 agents · Bash /);
	expect(row(working, {isDetailed: true})[1]).toContain('▸ 3 agents · Bash');
});

test('puts title, unread count and age at fixed places', () => {
	expect(row(finished(0))).toEqual(['○ Find out why the nightly …  1m']);
	expect(row(finished(3))).toEqual(['✓ Find out why the nightl… 3  1m']);
	expect(row(finished(12))).toEqual(['✓ Find out why the night… 12  1m']);
	expect(row(finished(12), {width: wide})).toEqual(['✓ Find out why the nightly build of the docs… 12  1m']);
	const partial = finished(120, {isUnreadPartial: true});
	expect(row(partial, {width: wide})).toEqual(['✓ Find out why the nightly build of the doc… 99+  1m']);
});

test('a mark beside the count shows an unsent draft, unless the title has no room', () => {
	const hasDraft = true;
	expect(row(finished(0), {hasDraft})).toEqual(['○ Find out why the nightl… ✎  1m']);
	expect(row(finished(12), {hasDraft})).toEqual(['✓ Find out why the nig… ✎ 12  1m']);
	expect(row(item({name: 'docs'}), {hasDraft})).toEqual(['? docs                     ✎']);
	expect(row(finished(12), {hasDraft, width: 20})).toEqual(['✓ Find out wh… +  1m']);
	const docs = (unread: number) => item({name: 'docs', activity: activity({unread})});
	expect(row(docs(0), {hasDraft, width: 16})).toEqual(['○ docs     ✎  1m']);
	expect(row(docs(12), {hasDraft, width: 16})).toEqual(['✓ docs  ✎ 12  1m']);
	expect(row(docs(12), {hasDraft, width: 14})).toEqual(['✓ docs  12  1m']);
});

test('says beside the title that a message is queued, until it is sent', () => {
	const rowWith = (state: 'queued' | 'accepted', more: Partial<RowOptions> = {}) => {
		const sent = outboxItem({state, tries: 0});
		const [one] = sessionItems(fleet([finished(0).known as KnownSession]), {
			bySession: new Map([['s', [sent]]]),
		});
		return row(one as SessionItem, more);
	};
	expect(rowWith('queued')).toEqual(['○ Find out why the n… queued  1m']);
	expect(rowWith('queued', {hasDraft: true})).toEqual(['○ Find out why the… queued ✎  1m']);
	expect(rowWith('queued', {width: 20})).toEqual(['○ Find out why …  1m']);
	expect(rowWith('accepted')).toEqual(['○ Find out why the nightly …  1m']);
});

test('shows the reason beside the whole title in the only line of what needs the user, before the computer', () => {
	const asks = finished(1, {state: 'asks', evidence: 'question', words: 'Which one do you want?'});
	const login = {...asks, name: 'fix-login'};
	expect(row(asks, {width: 40})).toEqual(['! Find out why the nightly build … 1  1m']);
	expect(row(login, {width: 40})).toEqual(['! fix-login  Which one do you wan… 1  1m']);
	expect(row(login, {width: 46, hasComputers: true})).toEqual([
		'! fix-login  Which one do you want?      1  1m',
	]);
	expect(row(login, {width: 60, hasComputers: true})[0]).toMatch(
		/ Which one do you want\? +asks {2}gpu-1 1 /,
	);
	// A list that is too narrow for it.
	expect(row(login, {width: narrow})[0]).not.toContain('Which');
	// Nobody is asked anything here.
	expect(row(finished(0), {width: 40})).toEqual(['○ Find out why the nightly build of…  1m']);
});

test('rows on several computers name theirs beside the whole title, except below its heading', () => {
	const asks = finished(1, {
		state: 'asks',
		evidence: 'question',
		words: 'Shall I also delete the old endpoint?',
	});
	const at = (of: NeedsItem, more: Partial<RowOptions> = {}) => row(of, {hasComputers: true, ...more});
	expect(at(asks, {isDetailed: true})[1]).toBe('  asks · Shall I also d… · gpu-1');
	expect(at(asks, {isDetailed: true, grouping: 'computer'})[1]).toBe('  asks · Shall I also d… · gpu-1');
	const fix = {...finished(0), name: 'Fix the login'};
	expect(at(fix)).toEqual(['○ Fix the login        gpu-1  1m']);
	expect(row(fix)).toEqual(['○ Fix the login               1m']);
	expect(at(fix, {grouping: 'computer'})).toEqual(row(fix));
	expect(at({...fix, computerName: 'a-very-long-host-name'})).toEqual(['○ Fix the login  a-very-lon…  1m']);
	expect(at(finished(0))).toEqual(['○ Find out why the nightly …  1m']);
});

test('shows the state, what it is about and where in the second line, as far as they fit', () => {
	const asks = finished(1, {state: 'asks', evidence: 'question', words: 'Shall I go on?'});
	expect(row(asks, {isDetailed: true})[1]).toBe('  asks · Shall I go on? · gpu-1');
	const longer = {...asks, reason: 'Shall I also delete the old endpoint and its tests?'};
	expect(row(longer, {isDetailed: true})[1]).toBe('  asks · Shall I also delete th…');
	expect(row(longer, {isDetailed: true, width: wide})[1]).toBe(
		'  asks · Shall I also delete the old endpoint and i…',
	);
	const settings = {session: {sessionId: 's', sessionSettings: {model: 'model-x'}}, cwd: '/srv/shop'};
	const works = item({
		...settings,
		activity: activity({state: 'working', tool: 'Bash', userAt: noon - 5000}),
	});
	expect(row(works, {isDetailed: true})[1]).toBe('  Bash · gpu-1 · shop · model-x');
	expect(row(works, {isDetailed: true, grouping: 'folder'})[1]).toBe('  Bash · gpu-1 · model-x');
	expect(row(works, {isDetailed: true, grouping: 'computer'})[1]).toBe('  Bash · shop · model-x');
});

test('shows branch and changed lines in the second line, unless the session needs the user', () => {
	const workFolder = {branch: 'feature/x', added: 18, removed: 4};
	const idle = item({session: {sessionId: 's', workFolder}, activity: activity({words: 'All is done now.'})});
	expect(row(idle, {isDetailed: true})[1]).toBe('  All is done now.        +18 -4');
	expect(row(idle, {isDetailed: true, width: wide})[1]).toBe(
		'  All is done now. · feature/x · gpu-1        +18 -4',
	);
	const long = 'A word after another until there is no more room for any of them at all.';
	const wordy = item({session: {sessionId: 's', workFolder}, activity: activity({words: long})});
	expect(row(wordy, {isDetailed: true})[1]).toBe('  A word after another …  +18 -4');
	const asks = item({session: {sessionId: 's', workFolder}, activity: activity({unread: 1, words: long})});
	expect(row(asks, {isDetailed: true})[1]).not.toContain('+18');
	const clean = item({session: {sessionId: 's', workFolder: {branch: 'main', added: 0, removed: 0}}});
	expect(row(clean, {isDetailed: true})[1]).toBe('  main · gpu-1');
});

test('shows an unknown state from the service in the heading or the row', () => {
	const odd = item({name: long, status: {value: 'hibernating', source: 'updated', at: noon}});
	expect(row(odd)[0]).not.toContain('hibernating');
	for (const grouping of groupings.filter(one => one !== 'state')) {
		expect(row(odd, {grouping})[0]).toContain('hibernating');
		expect(row(odd, {grouping, isDetailed: true})[1]).toContain('hibernating');
	}
});

test("shows a computer's failure in the second line, or behind its name", () => {
	const failing = {provisioningSteps: [{name: 'clone', status: 'failed', error: 'no space left'}]};
	const [failed] = computerItems({
		computers: fleet([], [knownComputer('gpu', failing)]).computers,
		problems: new Map(),
	});
	const computer = failed as NonNullable<typeof failed>;
	expect(row(computer, {isDetailed: true})).toEqual(['✗ gpu', '  failed · clone: no space left']);
	expect(row(computer, {width: wide})[0]).toMatch(/^✗ gpu {2}clone: no space left +failed$/);
});

test('ages a session known to be idle only by its status from its last activity, never from the read', () => {
	const read = {value: 'idle', source: 'updated', at: noon - 2000} as const;
	const session = (more: object) => ({
		session: {sessionId: 's', ...more},
		name: 'docs',
		status: read,
		wasEmpty: true as const,
	});
	expect(row(item(session({updatedAt: noon - 45 * minute})))[0]).toMatch(/ 45m$/);
	expect(row(item(session({createdAt: noon - 90 * minute})))[0]).toMatch(/ 1h$/);
	expect(row(item({name: 'docs', status: read, wasEmpty: true}))).toEqual(['○ docs']);
	expect(
		row(item({...session({updatedAt: noon - 45 * minute}), status: {...read, source: 'updated'}}))[0],
	).toMatch(/ 45m$/);
});

test("an unread answer that by the settings doesn't need the user is idle", () => {
	const status = {value: 'idle', source: 'updated', at: noon} as const;
	const known = knownSession('s', {name: 'docs', activity: activity({unread: 3}), status});
	const [idle] = sessionItems(fleet([known], [], []), emptyOutbox, {unreadNeedsYou: false});
	expect(row(idle as SessionItem)).toEqual(['○ docs                     3  1m']);
});

test('has a word in every row for a screen reader', () => {
	const works = item({name: long, activity: activity({state: 'working'})});
	expect(row(works, {isScreenReader: true})[0]).toContain(' working ');
	expect(row(finished(2), {isScreenReader: true})[0]).toContain(' done 2 ');
	expect(row(works, {isScreenReader: true, isDetailed: true})[1]).toContain('working · gpu-1');
});

test("shows how long a working session's turn takes, and when it goes quiet", () => {
	const works = (changedAt: number) =>
		item({
			name: 'docs',
			activity: activity({
				state: 'working',
				tool: 'Bash',
				userAt: noon - 65 * minute,
				at: changedAt,
				changedAt,
			}),
			readAt: noon,
		});
	expect(row(works(noon - minute))).toEqual(['◐ docs  Bash                  1h']);
	expect(row(works(noon - minute), {now: noon + 1000})[0]).toMatch(/^◓/);
	expect(row(works(noon - minute), {now: noon + 1000, isSpinnerStill: true})[0]).toMatch(/^◐/);
	expect(itemRowChangesAt(works(noon - minute), noon)).toBe(noon + 1000);
	const stuck = works(noon - 12 * minute);
	expect(row(stuck, {isDetailed: true})).toEqual([
		'◐ docs                       12m',
		'  no activity for 12m · Bash',
	]);
	expect(row(stuck)).toEqual(['◐ docs  Bash           quiet 12m']);
	expect(row({...stuck, name: long})).toEqual(['◐ Find out why the nightly … 12m']);
	expect(itemRowChangesAt(stuck, noon)).toBe(noon + minute);
	// Unless it was read within the minute, nobody knows whether it is still at work, or stuck.
	const unread = (changedAt: number) => {
		const {known, ...rest} = works(changedAt);
		const {readAt: _, ...before} = known as KnownSession;
		return {...rest, known: before};
	};
	expect(row(unread(noon - 2 * minute))).toEqual(['◌ docs  Bash                  1h']);
	expect(row(unread(noon - 2 * minute), {isDetailed: true})).toEqual([
		'◌ docs                        1h',
		'  when last read · Bash · gpu-1',
	]);
	expect(row(unread(noon - 2 * minute), {isScreenReader: true})[0]).toContain('working?');
	expect(row(unread(noon - 12 * minute))).toEqual(['◌ docs  Bash                  1h']);
	expect(itemRowChangesAt(unread(noon - 2 * minute), noon)).toBeGreaterThan(noon + minute);
});

test('tells a session of this machine from those of the service', () => {
	const [here] = sessionItems(fleet([], [], [signal('h', 'working', {cwd: '/home/me/shop'})]), emptyOutbox);
	const local = here as SessionItem;
	expect(row(local, {isDetailed: true})).toEqual([
		'◐ claude shop                 0s',
		'  this machine · shop',
	]);
	expect(row({...local, name: 'mine', known: knownSession('h', {origin: 'hook', name: 'mine'})})[0]).toMatch(
		/^◐ claude mine /,
	);
});

test('every line fits, whatever is in it', () => {
	const text = fc.string({unit: 'grapheme', maxLength: 60});
	fc.assert(
		fc.property(
			fc.record({
				name: text,
				words: text,
				tool: fc.option(text, {nil: undefined}),
				unread: fc.nat(150),
				state: fc.constantFrom('working' as const, 'done' as const, 'asks' as const, 'failed' as const),
				pinned: fc.boolean(),
				ago: fc.nat(1000 * 24 * 60),
			}),
			fc.integer({min: 12, max: 80}),
			fc.boolean(),
			fc.constantFrom<Grouping>(...groupings),
			({name, ago, pinned, tool, ...more}, width, isDetailed, grouping) => {
				const at = noon - ago * minute;
				const one = item({
					name,
					pinned,
					activity: activity({...more, ...(tool && {tool}), at, changedAt: at}),
				});
				const options = {
					width,
					now: noon,
					isDetailed,
					hasDraft: ago % 5 === 0,
					grouping,
					hasComputers: ago % 7 < 3,
					isSpinnerStill: false,
					isServiceDown: ago % 3 === 0,
					isScreenReader: ago % 2 === 0,
				};
				const lines = itemRow(one, options);
				expect(lines).toHaveLength(isDetailed ? 2 : 1);
				expect(lineWidth(lines[0] ?? [])).toBe(width);
				for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width);
			},
		),
	);
});
