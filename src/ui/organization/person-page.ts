import {createExportTable, type ExportColumn, type ExportTable} from '../../domain/export-table.ts';
import {type People, personFigures, personValue} from '../../domain/usage/people.ts';
import type {Organization, PeopleData} from '../../state/organization/organization.ts';
import {numberOrText} from '../../state/organization/user-columns.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {barList} from '../../text/charts/bar-list.ts';
import {dimLines, figure, figures, type Page, type PageContext, section, textPage} from './page.ts';
import {strings} from './strings.ts';
import {dayChart, tabBlocks} from './tab-blocks.ts';

/** One person's days and totals; undefined when the range doesn't include that person. */
export function personPage(
	organization: Organization,
	data: PeopleData,
	userId: string,
	back: number,
	size: PageContext,
): Page | undefined {
	const {people} = data;
	const index = people.indexOf(userId);
	const person = people.people[index];
	if (!person) return undefined;
	const {email, activeDays, lastDay} = person;
	const {models, levels, languages, tiers} = people.traits(index);
	const points = people.dates.map((date, day) => ({date, value: people.credits(index, day)}));
	const byModel = creditsByModel(organization, data, userId);
	const {isWide, right, beside, chart} = tabBlocks(size);
	const head: Line[] = [
		figures([
			figure(people.total(index, 'billable_tokens'), safe`credits`),
			figure(activeDays, safe`active days of ${people.dates.length}`),
			[span(safe`last active `, 'dim'), span(cleanLine(lastDay ?? '-'), 'strong')],
		]),
		[],
		...dayChart(
			{kind: 'bars', unit: safe`credits`, combine: 'sum', series: [[safe`credits`, points]]},
			chart(0.3, back),
		),
		[],
	];
	const numbers = section(
		safe`Total`,
		personFigures.map(
			(field): Line => [
				span(pad(numberOrText(personValue(people, index, field)), 14, 'end'), 'strong'),
				span(safe`  ${strings.measures[field]}`, 'dim'),
			],
		),
	);
	const withTier = (model: string) => (tiers.has(model) ? `${model} (${tiers.get(model)})` : model);
	const bars = (counts: ReadonlyMap<string, number>, labelOf = (label: string) => label) =>
		barList(
			[...counts]
				.sort(([, a], [, b]) => b - a)
				.map(([label, value]) => ({label: cleanLine(labelOf(label), 60), value})),
			{...size, width: right},
		);
	const traits = [
		...section(safe`Primary model`, bars(models, withTier), safe`days`),
		...(byModel
			? section(safe`Credits by model`, bars(byModel))
			: section(
					safe`Credits by model`,
					dimLines(safe`Available after the Credits tab has read these days`, right),
				)),
		...section(safe`Delegation`, bars(levels), safe`days`),
		...section(
			safe`Languages`,
			languages.size === 0 ? [] : [[span(cleanLine([...languages].join(', '), 400))]],
		),
	];
	const title: Line = [
		span(cleanLine(email ?? userId, 120), 'strong'),
		...(email === undefined ? [span(safe` (no email)`, 'dim')] : []),
	];
	return {
		...textPage(title, head, isWide ? beside(numbers, traits) : [...numbers, ...traits]),
		data: () => ({
			name: 'usage-person',
			range: data.range,
			selection: {view: 'usage', user_id: userId, user_email: email ?? null, languages: [...languages]},
			tables: personTables(people, index, byModel),
		}),
	};
}

/**
 * Tables of one person: daily values, totals, and the number of days each model and autonomy level was the
 * primary one.
 */
function personTables(people: People, index: number, byModel?: ReadonlyMap<string, number>): ExportTable[] {
	const {models, levels, tiers} = people.traits(index);
	const counted = (
		name: string,
		[key, count]: readonly [key: string, count: string],
		counts: ReadonlyMap<string, number>,
		details: readonly ExportColumn<{key: string}>[] = [],
	) =>
		createExportTable(
			name,
			[{name: key, value: row => row.key}, ...details, {name: count, value: row => row.count}],
			[...counts].map(([key, count]) => ({key, count})).sort((a, b) => b.count - a.count),
		);
	const measures = [...personFigures, 'active_days', 'languages'] as const;
	return [
		createExportTable(
			'by day',
			[
				{name: 'date', value: day => people.dates[day]},
				{name: 'billable_tokens', value: day => people.credits(index, day)},
			],
			[...people.dates.keys()],
		),
		createExportTable(
			'totals',
			[
				{name: 'measure', value: measure => measure},
				{name: 'value', value: measure => personValue(people, index, measure)},
			],
			measures,
		),
		counted('primary models', ['primary_model', 'days'], models, [
			{name: 'primary_model_tier', value: ({key}) => tiers.get(key)},
		]),
		counted('delegation', ['delegation_level', 'days'], levels),
		...(byModel ? [counted('credits by model', ['model_id', 'billable_tokens'], byModel)] : []),
	];
}

/** A person's credits by model; undefined unless credits were read for the same days. */
function creditsByModel(
	{usage}: Organization,
	{range}: PeopleData,
	userId: string,
): ReadonlyMap<string, number> | undefined {
	const now = usage.data?.now;
	const isSameDays = now?.range.startDate === range.startDate && now.range.endDate === range.endDate;
	return isSameDays ? (now.credits.userModels.get(userId) ?? new Map()) : undefined;
}
