import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Connection} from '../../../src/state/connection.ts';
import {lineText, lineWidth} from '../../../src/text/cells/line.ts';
import {clockTime} from '../../../src/text/values/times.ts';
import {createKeyMap} from '../../../src/ui/bindings.ts';
import {headerChangesAt, headerLine} from '../../../src/ui/panes/header-line.ts';

const now = 1_000_000;
const keys = createKeyMap();
const counts = {
	needs: 2,
	working: 12,
	workingUntil: Array.from({length: 12}, () => Number.POSITIVE_INFINITY),
	pending: 0,
	idle: 4,
	failed: 1,
};
const quiet: Connection = {state: 'quiet', hooks: 'off'};
const down = {what: 'Nobody is there.', at: now - 60_000};

function header(
	connection: Partial<Connection>,
	width = 140,
	more: Partial<Parameters<typeof headerLine>[0]> = {},
) {
	return headerLine(
		{
			profile: 'prod',
			isConnected: true,
			counts,
			connection: {...quiet, ...connection},
			now,
			keys,
			hasReducedMotion: false,
			...more,
		},
		width,
	);
}

test.each<[Partial<Connection>, string]>([
	[{state: 'polling', okAt: now}, '● connected'],
	[{state: 'quiet', okAt: now - 59_000}, '● connected'],
	[{state: 'quiet', okAt: now - 600_000}, '○ connected 10m ago'],
	[{state: 'polling', okAt: now - 4000, nextAt: now + 56_000}, '● connected'],
	[{state: 'polling', okAt: now - 60_000, nextAt: now - 5000}, '● connected'],
	[{state: 'polling', okAt: now - 65_000, nextAt: now - 8000}, '◌ no answer for 8s'],
	[{state: 'polling'}, '◌ connecting'],
	[{state: 'quiet'}, '◌ connecting'],
	[{state: 'polling', refusal: down}, '✗ not connected'],
	[
		{state: 'offline', okAt: now - 120_000, retryAt: now + 5000, problem: down},
		`✗ offline since ${clockTime(down.at)}, reconnecting in 5s`,
	],
	[{state: 'offline', retryAt: now}, '✗ offline, reconnecting…'],
	[{state: 'offline', retryAt: now + 200}, '✗ offline, reconnecting in 1s'],
	[{state: 'slowed', retryAt: now + 60_000}, '◌ rate-limited, next try in 1m'],
	[{state: 'unauthorized'}, '✗ key refused'],
	[{state: 'polling', okAt: now - 9_000, outage: down}, `✗ service failing since ${clockTime(down.at)}`],
	[{state: 'quiet', okAt: now, storage: {what: 'full', at: 0}}, '! not saved  ● connected'],
	[
		{state: 'quiet', okAt: now, storage: {what: 'read-only', at: 0, needsRestart: true}},
		'! not saved: fix it and restart  ● connected',
	],
])('shows %j as %s', (connection, words) => {
	expect(lineText(header(connection)).trimEnd().endsWith(words)).toBe(true);
});

test('a profile that is named after its address is shown once', () => {
	const line = lineText(header({}, 140, {profile: '127.0.0.1-40521', host: '127.0.0.1:40521'}));
	expect(line).toMatch(/^ quarterdeck {2}127\.0\.0\.1:40521 {2}/);
	expect(line).not.toContain('127.0.0.1-40521');
});

test('names the profile, the host and the organization', () => {
	const of = (width: number, organization?: string) =>
		lineText(header({}, width, {host: 'service.example', ...(organization && {organization})}));
	expect(of(140, 'acme')).toMatch(/^ quarterdeck {2}prod · service\.example · acme {2}/);
	expect(of(140)).toMatch(/^ quarterdeck {2}prod · service\.example {2}/);
	// The program's own name is given up first.
	expect(of(83, 'acme')).toMatch(
		/^ prod · service\.example · acme {2}! 2 need you {2}12 working {2}✗ 1 failed/,
	);
	expect(of(50, 'acme')).not.toContain('acme');
	// In a view of its own, too.
	const usage = (width: number) =>
		lineText(header({}, width, {host: 'service.example', organization: 'acme', location: 'Usage'}));
	expect(usage(140)).toMatch(/^ quarterdeck › Usage {2}prod · service\.example · acme {2}/);
	expect(usage(50)).not.toContain('acme');
	// Where the host has no room: two organizations at one address differ by the profile.
	expect(usage(70)).toMatch(/^ ‹ Usage {2}prod +! 2 need you {2}12 working {2}✗ 1 failed/);
});

test.each([
	['0b7e3c52-9a41-4f0e-8f5d-2c1a7e6b9d34', 'org 0b7e3c52'],
	['org_01HZX4Q7V9M2K3T5W8Y6B0C1D2', 'org_01HZX4Q7'],
	['platform-and-operations-2026', 'platform-and-operations-2026'],
])('shows the organization %s as %s', (organization, shown) => {
	const text = lineText(header({}, 160, {host: 'service.example', organization}));
	expect(text).toContain(` · service.example · ${shown}  `);
});

test('an organization displaces neither the host nor the connection', () => {
	const organization = 'a name as long as the header lets it be';
	for (const location of [undefined, 'Usage', 'Readiness', 'Controls'])
		for (let width = 40; width <= 140; width++) {
			const of = (more: object) =>
				lineText(header({okAt: now}, width, {host: 'service.example', location, ...more}));
			expect(of({organization}).includes('service.example')).toBe(of({}).includes('service.example'));
			expect(of({organization}).trimEnd()).toMatch(/● connected$/);
		}
});

test('every count has its word at every width, and the least important counts are left out', () => {
	expect(lineText(header({}))).toContain('! 2 need you   12 working   4 idle   ✗ 1 failed');
	expect(lineText(header({}, 70))).toContain('! 2 need you  12 working  ✗ 1 failed');
	// The other counts go before the profile: whose sessions these are stands nowhere else.
	expect(lineText(header({}, 46))).toMatch(/^ prod +! 2 need you +◌/);
	expect(lineText(header({}, 40))).toContain('! 2 need you');
	expect(lineText(header({}, 40, {location: 'api-migration'}))).toContain('‹ api-migration');
	expect(lineText(header({}, 80, {isConnected: false}))).toContain('not set up');
	for (let width = 40; width <= 120; width++) {
		const text = lineText(header({okAt: now}, width, {location: 'Computers', host: 'service.example'}));
		expect(text).not.toMatch(/[!●◌✗]\d/);
		if (width >= 60) expect(text).toContain('2 need you');
	}
});

test('fills the width, whatever it says', () => {
	const states = ['starting', 'quiet', 'polling', 'slowed', 'offline', 'unauthorized'] as const;
	fc.assert(
		fc.property(
			fc.integer({min: 40, max: 220}),
			fc.constantFrom(...states),
			fc.boolean(),
			fc.option(fc.string(), {nil: undefined}),
			(width, state, isBroken, location) => {
				const connection = {state, okAt: now, latency: 5, retryAt: now + 5000};
				const storage = {what: 'full', at: 0};
				const line = header({...connection, ...(isBroken && {storage})}, width, {
					...(location !== undefined && {location}),
				});
				expect(lineWidth(line)).toBe(width);
			},
		),
	);
});

test('updates when an answer becomes overdue, but not while answers are on time', () => {
	const polled: Connection = {...quiet, state: 'polling', okAt: now, nextAt: now + 3000};
	const wake = headerChangesAt(polled, counts, now) ?? 0;
	expect(wake).toBeGreaterThan(now + 3000);
	const stale = (at: number) =>
		lineText(
			headerLine(
				{profile: 'p', isConnected: true, counts, connection: polled, now: at, keys, hasReducedMotion: false},
				140,
			),
		).includes('no answer');
	expect([stale(wake - 1), stale(wake)]).toEqual([false, true]);
	expect(headerChangesAt(quiet, counts, now)).toBeUndefined();
	const answered = {...quiet, okAt: now};
	expect(headerChangesAt(answered, counts, now)).toBe(now + 60_000);
	expect(headerChangesAt(answered, counts, now + 60_000)).toBe(now + 120_000);
});

test('reports an incident with saved data until it is acknowledged, but a failure to save comes first', () => {
	const incidents = [{at: now, what: 'Saved data was damaged'}];
	expect(lineText(header({incidents}))).toContain('! data repaired: 8');
	expect(lineText(header({incidents: []}))).not.toContain('repaired');
	const storage = {what: 'full', hint: '', at: now};
	expect(lineText(header({incidents, storage}))).toMatch(/not saved(?!.*repaired)/);
});

test('counts the sessions apart that were at work when they were last read, too long ago', () => {
	const counted = (unread: number) => {
		const workingUntil = Array.from({length: 12}, (_, index) => (index < unread ? now - 1 : now));
		return lineText(header({}, 140, {counts: {...counts, workingUntil}}));
	};
	expect(counted(0)).toContain(' 12 working ');
	expect(counted(3)).toMatch(/ 9 working +3 working\? /);
	expect(counted(12)).toMatch(/need you +12 working\? /);
});

test.each<[Partial<Connection>, {unread?: 'failed' | 'reading'}]>([
	[{state: 'unauthorized'}, {}],
	[{state: 'offline', okAt: now - 60_000, problem: down}, {}],
	[{state: 'polling', okAt: now}, {unread: 'failed'}],
	[{state: 'polling', okAt: now}, {unread: 'reading'}],
])(
	'while no session can be read, it says neither that nothing needs you nor that none works: %j',
	(connection, more) => {
		const idle = {...counts, needs: 0, working: 0, workingUntil: [], failed: 0, ...more};
		const text = lineText(header(connection, 140, {counts: idle}));
		expect(text).toContain('4 idle');
		expect(text).not.toMatch(/nothing needs you|0 working/);
		expect(
			lineText(header({state: 'polling', okAt: now}, 140, {counts: {...idle, unread: undefined}})),
		).toMatch(/nothing needs you +0 working/);
	},
);
