import {personSheets} from '../../domain/sheets/people-sheets.ts';
import {type PersonMeasure, personMeasures} from '../../domain/usage/people.ts';
import type {PeopleData} from '../../state/organization.ts';
import {barList} from '../../text/charts/bar-list.ts';
import {cleanLine} from '../../text/clean.ts';
import {pad} from '../../text/cut.ts';
import {type Line, span} from '../../text/line.ts';
import {exactNumber} from '../../text/numbers.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {beside, type Page, type PageSize, section, textPage} from './page.ts';
import {dayBars} from './tab-charts.ts';
import {figure, figures} from './usage-words.ts';

const names: Readonly<Record<PersonMeasure, Safe>> = {
	billable_tokens: safe`credits`,
	sessions: safe`sessions`,
	user_messages: safe`user turns`,
	tool_calls: safe`tool calls`,
	messages: safe`messages`,
	assistant_messages: safe`assistant messages`,
	files_created: safe`files created`,
	files_edited: safe`files edited`,
	git_commits: safe`commits`,
	git_prs_created: safe`pull requests`,
	mcp_calls: safe`MCP calls`,
	skill_calls: safe`skill calls`,
	slash_commands: safe`slash commands`,
	hooks: safe`hooks`,
};

/** One person's days and what they come to. Nothing when the range has no such person. */
export function personPage(
	{people}: Pick<PeopleData, 'people'>,
	userId: string,
	back: number,
	{width, height}: PageSize,
): Page | undefined {
	const index = people.indexOf(userId);
	const person = people.people[index];
	if (!person) return undefined;
	const {email, activeDays, lastDay} = person;
	const {models, levels, languages} = people.traits(index);
	const points = people.dates.map((date, day) => ({
		date,
		value: people.credits(index, day),
	}));
	const chartHeight = Math.max(3, Math.min(12, Math.floor(height * 0.3)));
	const head: Line[] = [
		figures([
			figure(people.total(index, 'billable_tokens'), safe`credits`),
			figure(activeDays, safe`active days of ${people.dates.length}`),
			[span(safe`last active `, 'dim'), span(cleanLine(lastDay ?? '-'), 'strong')],
		]),
		[],
		...dayBars(points, safe`credits`, 'sum', {width: width - 2, height: chartHeight, back}),
		[],
	];
	const numbers = section(safe`In all`, [
		...personMeasures.map(
			(measure): Line => [
				span(pad(exactNumber(people.total(index, measure)), 14, 'end'), 'strong'),
				span(safe`  ${names[measure]}`, 'dim'),
			],
		),
		[
			span(pad(exactNumber(people.autonomy(index)), 14, 'end'), 'strong'),
			span(safe`  tool calls a user turn`, 'dim'),
		],
	]);
	const left = Math.floor(width / 2);
	const isWide = width >= 90;
	const bars = (counts: ReadonlyMap<string, number>) =>
		barList(
			[...counts]
				.sort(([, a], [, b]) => b - a)
				.map(([label, value]) => ({label: cleanLine(label, 60), value})),
			{width: isWide ? width - left : width},
		);
	const traits = [
		...section(safe`Primary model`, bars(models), safe`days`),
		...section(safe`Delegation`, bars(levels), safe`days`),
		...section(
			safe`Languages`,
			languages.size === 0 ? [] : [[span(cleanLine([...languages].join(', '), 400))]],
		),
	];
	const title: Line = [
		span(cleanLine(email ?? userId, 120), 'strong'),
		...(email === undefined ? [span(safe` (no e-mail)`, 'dim')] : []),
	];
	return {
		...textPage(title, head, isWide ? beside(numbers, traits, left) : [...numbers, ...traits]),
		data: () => ({
			name: 'usage-person',
			facts: {user_id: userId, user_email: email ?? null, languages: [...languages]},
			sheets: personSheets(people, index),
		}),
	};
}
