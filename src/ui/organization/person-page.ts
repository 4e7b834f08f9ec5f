import {personSheets} from '../../domain/sheets/people-sheets.ts';
import {personMeasures} from '../../domain/usage/people.ts';
import type {PeopleData} from '../../state/organization.ts';
import {cleanLine} from '../../text/clean.ts';
import {pad} from '../../text/cut.ts';
import {type Line, span} from '../../text/line.ts';
import {exactNumber} from '../../text/numbers.ts';
import {safe} from '../../text/safe.ts';
import {measureNames} from './measure-names.ts';
import {type Page, type PageSize, section, textPage} from './page.ts';
import {tabBlocks} from './tab-blocks.ts';
import {dayBars} from './tab-charts.ts';
import {figure, figures, listBars} from './usage-words.ts';

/** One person's days and what they come to. Nothing when the range has no such person. */
export function personPage(
	{people}: Pick<PeopleData, 'people'>,
	userId: string,
	back: number,
	size: PageSize,
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
	const {isWide, right, beside, chart} = tabBlocks(size);
	const head: Line[] = [
		figures([
			figure(people.total(index, 'billable_tokens'), safe`credits`),
			figure(activeDays, safe`active days of ${people.dates.length}`),
			[span(safe`last active `, 'dim'), span(cleanLine(lastDay ?? '-'), 'strong')],
		]),
		[],
		...dayBars(points, safe`credits`, 'sum', chart(0.3, back)),
		[],
	];
	const numbers = section(safe`In all`, [
		...personMeasures.map(
			(measure): Line => [
				span(pad(exactNumber(people.total(index, measure)), 14, 'end'), 'strong'),
				span(safe`  ${measureNames[measure]}`, 'dim'),
			],
		),
		[
			span(pad(exactNumber(people.autonomy(index)), 14, 'end'), 'strong'),
			span(safe`  tool calls a user turn`, 'dim'),
		],
	]);
	const bars = (counts: ReadonlyMap<string, number>) =>
		listBars(
			[...counts]
				.sort(([, a], [, b]) => b - a)
				.map(([label, value]) => ({label: cleanLine(label, 60), value})),
			{...size, width: right},
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
		...textPage(title, head, isWide ? beside(numbers, traits) : [...numbers, ...traits]),
		data: () => ({
			name: 'usage-person',
			facts: {user_id: userId, user_email: email ?? null, languages: [...languages]},
			sheets: personSheets(people, index),
		}),
	};
}
