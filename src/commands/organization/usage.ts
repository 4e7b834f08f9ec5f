import {isServiceError} from '../../api/errors.ts';
import type {Service} from '../../api/service.ts';
import {
	type AnalyticsFamily,
	type AnalyticsTable,
	type DayRows,
	memoryAnalytics,
} from '../../db/analytics.ts';
import {isStorageError} from '../../db/file/storage-error.ts';
import {analyticsStart} from '../../domain/limits.ts';
import type {Analytics, AnalyticsQuery, UserRow} from '../../domain/organization/analytics.ts';
import {addDays, isRealDay} from '../../domain/time.ts';
import {personFigures} from '../../domain/usage/people.ts';
import {type DayRange, freeRange, monthRange} from '../../domain/usage/range.ts';
import {type DayColumn, dayColumns} from '../../state/organization/day-columns.ts';
import {withOurs} from '../../state/rows/column.ts';
import {missingDays, otherRange} from '../../sync/organization/day-spans.ts';
import {
	isRefusal,
	readAnalytics,
	type UsageProgress,
	type UsageReading,
} from '../../sync/organization/read-analytics.ts';
import {readRange, todayIn} from '../../sync/organization/read-usage.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {safe} from '../../text/cells/safe.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import type {CommandContext, CommandRun} from '../cli/context.ts';
import {type ExitCode, UsageError} from '../cli/errors.ts';
import type {Flags} from '../cli/parse.ts';
import {cliStrings} from '../cli/strings.ts';
import {createProgress} from '../output/output.ts';
import {completeness, strings as listStrings} from '../output/print-pages.ts';
import {checkFormat, limitOf, type OutputColumn, outputColumns, printRows} from '../output/print-rows.ts';
import {strings} from './strings.ts';

const {wrongDay, notMonth} = strings.usage;
const {conflict} = cliStrings.usage;
const defaultDays = 30;

/** Reads the range given by `--month`, or by `--from` and `--to`; by default the last 30 available days. */
function withRange<Answer>(flags: Flags, service: Service, read: (range: DayRange) => Promise<Answer>) {
	const isFixed = flags.text('to') !== undefined;
	return readRange(service, lastDay => rangeOf(flags, lastDay), isFixed, read);
}

function rangeOf(flags: Flags, lastDay: string): DayRange {
	const month = flags.text('month');
	if (month !== undefined) return rangeOfMonth(month, flags, lastDay);
	const endDate = flags.text('to') ?? lastDay;
	const defaultStart = isRealDay(endDate) ? addDays(endDate, 1 - defaultDays) : analyticsStart;
	const startDate = flags.text('from') ?? (defaultStart < analyticsStart ? analyticsStart : defaultStart);
	const checked = freeRange(startDate, endDate, lastDay);
	if ('problem' in checked) throw new UsageError(wrongDay(checked.field, checked.problem));
	return checked.range;
}

function rangeOfMonth(month: string, flags: Flags, lastDay: string): DayRange {
	for (const name of ['from', 'to'] as const)
		if (flags.text(name) !== undefined) throw new UsageError(conflict('--month', `--${name}`));
	if (!isRealDay(`${month}-01`)) throw new UsageError(wrongDay('month', notMonth(month)));
	const {startDate, endDate} = monthRange(month, lastDay);
	const checked = freeRange(startDate, endDate, lastDay);
	if ('problem' in checked) throw new UsageError(wrongDay('month', checked.problem));
	return checked.range;
}

/** Show progress when a response takes longer than this, ms. */
const progressDelay = 300;

/** What a family can be grouped by, and the measures of its grouped rows. */
const groupings = {
	tokens: {by: 'model', names: ['billable_tokens', 'input_tokens', 'output_tokens']},
	tools: {by: 'tool_name', names: ['tool_calls']},
	activity: {by: 'client', names: ['daily_active_users']},
} as const;

function byDayOrGroup(family: keyof typeof groupings): CommandRun {
	return context =>
		context.flags.choice('group-by', [groupings[family].by]) === undefined
			? daily(context, family)
			: grouped(context, family);
}

/** The organization's usage analytics: one row per day, or per user and day for users. */
export const usage = {
	tokens: byDayOrGroup('tokens'),
	tools: byDayOrGroup('tools'),
	activity: byDayOrGroup('activity'),
	productivity: context => daily(context, 'productivity'),
	async users(context) {
		const {range, today, analytics, isWhole, code} = await readUsage(context, 'users');
		// The contract uses null for an unknown e-mail.
		const objectOf = (row: UserRow) => ({...row, user_email: row.user_email ?? null});
		const columns = [...userDayColumns(today), organizationColumn(analytics.organization())];
		const format = {columns, objectOf, none: strings.usage.noUsers};
		await printRows(context, format, analytics.users(range), limitOf(context));
		// A day on which nobody was active has no rows.
		const without = [...analytics.rows('activity', range)].filter(row => row.daily_active_users === 0);
		if (isWhole) noteMissing(context, {range, today}, [...analytics.users(range), ...without]);
		return code();
	},
} satisfies Record<string, CommandRun>;

async function daily<Family extends keyof DayRows>(
	context: CommandContext,
	family: Family,
): Promise<ExitCode> {
	const {range, today, analytics, code} = await readUsage(context, family);
	const all: readonly DayColumn<DayRows[Family]>[] = dayColumns[family];
	const rows = [...analytics.rows(family, range)];
	// What only some services report is left out if no row has it.
	const present = all.filter(
		({isPresent, value}) => !isPresent || rows.some(row => value(row) !== undefined),
	);
	const format = {
		columns: [
			dateColumn(today),
			...outputColumns(present, {now: context.clock.now()}),
			...fields<DayRows[Family]>(breakdowns[family], {isOnlyCsv: true}),
			organizationColumn(analytics.organization()),
		],
		objectOf: (row: DayRows[Family]) => withOurs(row, dayColumns[family], row),
	};
	await printRows(context, format, rows, limitOf(context));
	noteMissing(context, {range, today}, rows);
	return code();
}

function noteMissing(
	{output}: CommandContext,
	{range, today}: {readonly range: DayRange; readonly today: string | undefined},
	rows: Iterable<{readonly date?: string | undefined}>,
): void {
	const days = new Set(Array.from(rows, ({date = ''}) => date));
	for (const note of missingDays(range, days)) output.note(note);
	if (today !== undefined && days.has(today)) output.note(strings.usage.today(today));
}

/** Fetches uncached days. A disk that can't be written is reported; the data is still shown. */
async function readUsage(context: CommandContext, family: AnalyticsFamily) {
	checkFormat(context);
	const parts = await context.wiring();
	const service = await parts.connect();
	rangeOf(context.flags, await service.analytics.lastDay());
	try {
		return await readInto((await parts.database()).analytics, context, service, family);
	} catch (error) {
		if (!isStorageError(error)) throw error;
		context.output.note(cliStrings.storage.notSaved(error.message));
		return readInto(memoryAnalytics(), context, service, family);
	}
}

async function readInto(
	analytics: AnalyticsTable,
	context: CommandContext,
	service: Service,
	family: AnalyticsFamily,
) {
	const {flags, clock, signal} = context;
	const progress = createProgress(context.system.stderr, clock);
	const readOne = (one: AnalyticsFamily, range: DayRange) =>
		readAnalytics({service, analytics, clock}, one, range, {
			signal,
			onProgress: now => progress.show(progressText(now)),
		});

	/** Activity gives the expected number of user rows, which exposes an endless list. */
	async function readFamily(range: DayRange): Promise<UsageReading> {
		if (family === 'users') {
			try {
				await readOne('activity', range);
			} catch (error) {
				if (!isServiceError(error) || isRefusal(error)) throw error;
			}
		}
		return readOne(family, range);
	}

	try {
		const {range, answer, refused} = await withRange(flags, service, readFamily);
		const {skipped, end, cut, notes = []} = answer;
		const gaps = [...refused, ...notes, ...(cut === undefined ? [] : [cut])];
		/** Reports missing data, after the data; returns the exit code. */
		const code = () => completeness(context, skipped, cut === undefined ? end : 'end', gaps);
		const today = await todayIn(service, range);
		return {range, today, analytics, isWhole: end === 'end' && cut === undefined, code};
	} finally {
		progress.end();
	}
}

async function grouped<Family extends keyof typeof groupings>(
	context: CommandContext,
	family: Family,
): Promise<ExitCode> {
	const {by, names} = groupings[family];
	const all: readonly DayColumn<DayRows[Family]>[] = dayColumns[family];
	const measures = all.filter(({name}) => (names as readonly string[]).includes(name));
	const {flags, wiring, clock, signal} = context;
	checkFormat(context);
	const service = await (await wiring()).connect();
	const call = service.analytics[family] as (
		query: AnalyticsQuery<string>,
		options: {signal: AbortSignal},
	) => Promise<Analytics<DayRows[Family]>>;
	// A single call, which may take long if none was made recently.
	const progress = createProgress(context.system.stderr, clock);
	const cancel = clock.after(progressDelay, () => progress.show(strings.usage.readingGroups));
	const {range, answer, refused} = await withRange(flags, service, range =>
		call({...range, groupBy: by}, {signal}),
	).finally(() => {
		cancel();
		progress.end();
	});
	const today = await todayIn(service, range);
	await printRows(
		context,
		{
			columns: [
				dateColumn(today),
				groupColumn,
				...outputColumns(measures, {now: clock.now()}),
				organizationColumn(answer.meta.org_id),
			],
			objectOf: row => row,
		},
		answer.rows,
		limitOf(context),
	);
	noteMissing(context, {range, today}, answer.rows);
	const other = otherRange(range, answer, await service.analytics.lastDay());
	return completeness(context, answer.skipped, 'end', [...refused, ...other]);
}

function progressText({family, unit, done, total}: UsageProgress): string {
	const all = total === undefined ? undefined : exactNumber(total);
	return listStrings.reading(family, strings.usage.progress(exactNumber(done), all, unit));
}

// Columns of the analytics rows. Tables show totals only; CSV and JSON include the breakdowns.

const dateColumn = (today: string | undefined): OutputColumn<{readonly date?: string}> => ({
	name: 'date',
	title: safe`DATE (UTC)`,
	value: ({date}) => date,
	show: ({date = '-'}) => (date === today ? safe`today` : cleanLine(date)),
});

/** Fields of a row by name. One with parts is JSON in one cell. */
function fields<Row extends object>(
	names: readonly (keyof Row & string)[],
	more: Pick<OutputColumn<Row>, 'isNumber' | 'isOnlyCsv'> = {},
): OutputColumn<Row>[] {
	return names.map(name => ({
		...more,
		name,
		// As in the other tables.
		...(name === 'billable_tokens' && {title: safe`CREDITS`}),
		value(row) {
			const value: unknown = row[name];
			return typeof value === 'object' ? JSON.stringify(value) : (value as string | number | undefined);
		},
	}));
}

const groupColumn: OutputColumn<{readonly group_key?: string}> = {
	name: 'group_key',
	value: row => row.group_key,
};

/** The organization that the service named beside the rows. */
function organizationColumn(id: string | undefined): OutputColumn<unknown> {
	return {name: 'org_id', isOnlyCsv: true, value: () => id};
}

/** The breakdowns of each command: only in CSV. */
const breakdowns: {readonly [Family in keyof DayRows]: readonly (keyof DayRows[Family] & string)[]} = {
	tokens: ['by_model', 'by_user'],
	tools: ['by_tool', 'mcp_by_server', 'skills_by_name', 'slash_commands_by_name', 'hooks_by_event'],
	activity: ['daily_active_users_by_client'],
	productivity: ['by_extension', 'by_language'],
};

const userDayColumns = (today: string | undefined): readonly OutputColumn<UserRow>[] => [
	dateColumn(today),
	...fields<UserRow>(['user_id', 'user_email']),
	...fields<UserRow>(personFigures, {isNumber: true}),
	...fields<UserRow>(['primary_model', 'primary_model_tier', 'delegation_level']),
	{name: 'languages', value: row => row.languages?.join(' ')},
];
