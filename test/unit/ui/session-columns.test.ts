import {expect, test} from 'vitest';
import type {AttentionMark} from '../../../src/domain/sessions/attention.ts';
import {createFilterables} from '../../../src/state/lists/list-filtering.ts';
import {type SessionRow, sessionRow} from '../../../src/state/sessions/session-columns.ts';
import {createSessionTable} from '../../../src/state/sessions/session-table.ts';
import {lineText} from '../../../src/text/cells/line.ts';
import {tableHeading, tableRow} from '../../../src/ui/kit/columns.ts';
import {fittedColumns, measure} from '../../../src/ui/sessions/fitted-columns.ts';
import {createNoteOf} from '../../../src/ui/stream/delivery-note.ts';
import {fleet, knownComputer, knownSession, listsOf, noon, outboxItem} from '../../support/fleet.ts';

const minute = 60_000;
const title = 'Migrate the invoices table to bigints (part 2)';
const sessions = [
	knownSession('read', {
		fetchedAt: noon,
		computerId: 'box',
		pinned: true,
		session: {
			sessionId: 'read',
			title,
			messageCount: 1234,
			context: {usedTokens: 171_000, windowTokens: 200_000},
			updatedAt: noon - 4 * minute,
			sessionSettings: {
				model: 'model-large-1',
				tags: [{name: 'infra'}, {name: 'release'}],
				tokenUsage: {inputTokens: 1_200_000, outputTokens: 30_000, costUsd: 4.2},
			},
		},
		activity: {
			state: 'asks',
			evidence: 'question',
			at: noon - 5 * minute,
			newestId: 'm',
			changedAt: noon,
			unread: 12,
			isUnreadPartial: true,
		},
	}),
	knownSession('new', {addedAt: noon - 1}),
];
const [read] = sessions;

test('keeps a message count when an answer arrives, and says that there are more', () => {
	const {activity} = read ?? {};
	const answered = knownSession('read', {
		...read,
		...(activity && {activity: {...activity, changedAt: noon + 1}}),
	});
	expect(tableText(195, 'state', {of: [answered]})[1]).toMatch(/ 1,234\+ +12\+ /);
});

test('leaves out columns that are empty in all rows, except the one that sorts', () => {
	const of = [knownSession('plain', {session: {sessionId: 'plain', title}})];
	expect(tableText(195, 'state', {of})[0]).toMatch(/^STATE▲ +TITLE$/);
	expect(tableText(195, 'model', {of})[0]).toMatch(/^STATE +TITLE +MODEL▲$/);
});

test("names each session's branch and how many lines it has changed, most first", () => {
	const worktree = (sessionId: string, added: number) =>
		knownSession(sessionId, {
			session: {sessionId, title, workFolder: {branch: `quarterdeck/${sessionId}`, added, removed: 2}},
		});
	const [heading, ...rows] = tableText(115, 'changed', {of: [worktree('one', 1), worktree('two', 18)]});
	expect(heading).toMatch(/TITLE +BRANCH +CHANGED▲$/);
	expect(rows[0]).toMatch(/ quarterdeck\/two +\+18 -2$/);
	expect(rows[1]).toMatch(/ quarterdeck\/one +\+1 -2$/);
});

/** The table as text, `width` columns wide. */
function tableText(
	width: number,
	order: string = 'state',
	{
		hasDelivery = false,
		of = sessions,
		marks = new Map<string, AttentionMark>(),
	}: {hasDelivery?: boolean; of?: typeof sessions; marks?: ReadonlyMap<string, AttentionMark>} = {},
): string[] {
	const {all} = listsOf(fleet(of, [knownComputer('box', {name: 'linux-build-1'})]), {marks});
	const query = {words: '', order, isReversed: false, showsArchived: false};
	const rows = createSessionTable()(all, query, createFilterables());
	const delivery = {
		of: ({item}: SessionRow) =>
			item.id === 'read'
				? outboxItem({sessionId: 'read', text: 'x', state: 'failed', createdAt: 0})
				: undefined,
		widest: 8,
		noteOf: createNoteOf('polling', undefined, noon),
	};
	const columns = fittedColumns(
		measure(all.sessions.map(sessionRow)),
		{width, now: noon, drafted: new Set<string>()},
		{order, isReversed: false},
		hasDelivery ? delivery : undefined,
	);
	return [tableHeading(columns), ...rows.map(row => tableRow(columns, row))].map(line =>
		lineText(line).trimEnd(),
	);
}

test('shows everything whole at 200 columns', () => {
	expect(tableText(195)).toEqual([
		'STATE▲      TITLE                                             COMPUTER       MODEL          MESSAGES  UNREAD  CTX LEFT  TOKENS     USD  ACTIVE  TAGS',
		`! asks      ◆ ${title}  linux-build-1  model-large-1     1,234     12+      15 %    1.2M    4.20      5m  #infra #release`,
		'?           new                                               -              -                     -       -         -       -       -       -  -',
	]);
});

test.each([
	[
		115,
		'STATE▲      TITLE                                         COMPUTER       MESSAGES  UNREAD  CTX LEFT  TOKENS  ACTIVE',
	],
	[75, 'STATE▲      TITLE                             COMPUTER       UNREAD  ACTIVE'],
	[35, '▲  TITLE             UNREAD  ACTIVE'],
])('at width %i, drops the least important columns; the title keeps most of the room', (width, heading) => {
	const text = tableText(width);
	expect(text[0]).toBe(heading);
	for (const line of text) expect(line.length).toBeLessThanOrEqual(width);
});

test('without a column of their own, tags stand after the title, as far as there is room', () => {
	const settings = {tags: [{name: 'infra'}, {name: 'release'}]};
	const short = {sessionId: 'short', title: 'fix-login', sessionSettings: settings};
	const of = [knownSession('short', {session: short}), ...sessions];
	const texts = tableText(75, 'state', {of}).join('\n');
	expect(texts).toMatch(/ fix-login #infra #release {2}/);
	expect(tableText(75, 'tags', {of}).join('\n')).not.toContain('fix-login #infra');
	expect(tableText(195, 'state', {of}).join('\n')).not.toContain('fix-login #infra');
});

test('always shows the sorted column and the delivery of messages', () => {
	expect(tableText(75, 'tags')[0]).toContain('TAGS▲');
	const [heading, row, other] = tableText(75, 'state', {hasDelivery: true});
	expect(heading).toContain('DELIVERY');
	expect(row).toContain('✗ failed');
	expect(other).toMatch(/new +-/);
});
