import type {Membership} from '../../domain/usage/membership.ts';
import {dayCount, isSameChoice} from '../../domain/usage/range.ts';
import type {ActionName} from '../../keys/bindings.ts';
import {joinedUsers} from '../../state/joined-users.ts';
import type {Organization, UsageData, UsagePeriod} from '../../state/organization.ts';
import {type OrganizationReading, type UsageTab, usageTabs} from '../../state/organization-reading.ts';
import {cleanLine} from '../../text/clean.ts';
import {type Line, type Span, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {adoptionTab} from './adoption-tab.ts';
import {autonomyTab} from './autonomy-tab.ts';
import {creditsTab} from './credits-tab.ts';
import {outputTab} from './output-tab.ts';
import {type Page, type PageSize, textPage, withRange} from './page.ts';
import {peopleTab} from './people-tab.ts';
import {personPage} from './person-page.ts';
import {tabData} from './tab-data.ts';
import {toolsTab} from './tools-tab.ts';

type Tab = (data: UsageData, back: number, size: PageSize, membership: Membership | undefined) => Page;

const tabs: Readonly<Record<Exclude<UsageTab, 'people'>, Tab>> = {
	credits: creditsTab,
	adoption: adoptionTab,
	autonomy: autonomyTab,
	output: outputTab,
	tools: toolsTab,
};

/** Titles of the tabs, the letter that opens each marked. */
const titles: Readonly<Record<UsageTab, readonly [before: Safe, key: Safe, after: Safe]>> = {
	credits: [safe``, safe`c`, safe`redits`],
	adoption: [safe``, safe`a`, safe`doption`],
	autonomy: [safe`a`, safe`u`, safe`tonomy`],
	output: [safe``, safe`o`, safe`utput`],
	tools: [safe``, safe`t`, safe`ools`],
	people: [safe``, safe`p`, safe`eople`],
};

/** The Usage view: a tab of a range of days, or one person. */
export function usagePage(
	organization: Organization,
	reading: OrganizationReading,
	size: PageSize,
): Page | undefined {
	const {usage, people} = organization;
	const isPeople = reading.tab === 'people';
	const inside = {...size, height: size.height - 2};
	const page = isPeople ? peoplePage() : pageOf();
	return (
		page && {
			...page,
			head: [tabsLine(reading), [], ...page.head],
			headAction: (line, column) => (line === 0 ? tabActionAt(column) : undefined),
		}
	);

	function pageOf(): Page | undefined {
		if (!usage.data || reading.tab === 'people') return undefined;
		const {data} = usage;
		const {tab} = reading;
		const title = rangeTitle(reading, data.now.range);
		if (isUntold(data.now)) return textPage(title, [], untold);
		const page = tabs[reading.tab](data, reading.back, inside, membershipOf(organization));
		return {...page, title, data: () => tabData(tab, data)};
	}

	function peoplePage(): Page | undefined {
		if (!people.data) return undefined;
		const person = reading.opened.usage;
		const one = person === undefined ? undefined : personPage(people.data, person, reading.back, inside);
		if (one)
			return withRange(
				{...one, title: [...rangeTitle(reading, people.data.range), span(safe` › `, 'dim'), ...one.title]},
				people.data.range,
				{view: 'usage'},
			);
		const page = peopleTab(organization, people.data, reading, inside);
		return withRange({...page, title: rangeTitle(reading, people.data.range)}, people.data.range, {
			view: 'usage',
			tab: 'people',
		});
	}
}

/** The users joined with the people of the same days, where both were read. */
function membershipOf(organization: Organization): Membership | undefined {
	const joined = joinedUsers(organization)?.usage;
	const {data} = organization.usage;
	return joined && data && isSameChoice(joined.choice, data.choice) ? joined.membership : undefined;
}

const untold: readonly Line[] = [
	[span(safe`The service has no usage of these days: it is unknown, not zero.`)],
	[span(safe`What is done on a day (UTC) shows up the day after.`, 'dim')],
];

/** Does no family tell anything of the days? */
function isUntold({credits, adoption, tools, output}: UsagePeriod): boolean {
	const known = [credits.total, tools.calls.total, output.filesEdited.total];
	return adoption.meanDaily === undefined && known.every(({sum}) => sum === undefined);
}

/** `Usage  28 days  2026-10-24 to 2026-11-20 UTC`. */
function rangeTitle({range}: OrganizationReading, days: {startDate: string; endDate: string}): Line {
	return [
		span(safe`Usage`, 'heading'),
		span(safe`  ${range === 'all' ? safe`all ` : safe``}${dayCount(days)} days`, 'strong'),
		span(safe`  ${cleanLine(days.startDate)} to ${cleanLine(days.endDate)} UTC`, 'dim'),
	];
}

/** The tabs by the letters that open them; the open one is in brackets, so that it is told without colour. */
function tabsLine({tab}: OrganizationReading): Line {
	return usageTabs.flatMap((name): Span[] => {
		const [before, key, after] = titles[name];
		const isOpen = name === tab;
		const tone = isOpen ? 'accent' : 'dim';
		return [
			span(isOpen ? safe`[` : safe` `, 'accent'),
			span(before, tone),
			span(key, isOpen ? 'accent' : 'strong', {bold: true}),
			span(after, tone),
			span(isOpen ? safe`] ` : safe`  `, 'accent'),
		];
	});
}

/** What opens the tab at a column of their line. */
function tabActionAt(column: number): ActionName | undefined {
	let end = 0;
	const tab = usageTabs.find(name => {
		end += titles[name].reduce((sum, part) => sum + part.length, 0) + 3;
		return column < end;
	});
	return tab && `tab-${tab}`;
}
