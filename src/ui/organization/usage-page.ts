import type {ExportPage} from '../../domain/export-table.ts';
import type {DayRange} from '../../domain/usage/range.ts';
import {isUnknown} from '../../state/organization/day-columns.ts';
import type {Organization, UsageData} from '../../state/organization/organization.ts';
import {
	type OrganizationViewState,
	type UsageTab,
	usageTabs,
} from '../../state/organization/organization-view-state.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, lineWidth, type Span, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import type {ActionName} from '../keys/binding.ts';
import type {KeyMap} from '../keys/key-map.ts';
import {adoptionTab} from './adoption-tab.ts';
import {autonomyTab} from './autonomy-tab.ts';
import {creditsTab} from './credits-tab.ts';
import {outputTab} from './output-tab.ts';
import {type Page, type PageContext, pageTitle, rangeSpans, textPage} from './page.ts';
import {peopleTab} from './people-tab.ts';
import {personPage} from './person-page.ts';
import {strings} from './strings.ts';
import {toolsTab} from './tools-tab.ts';
import {type FigureTab, type TabSpec, tabPage, tabTables} from './usage-tab.ts';

const tabs: Readonly<Record<FigureTab, TabSpec>> = {
	credits: creditsTab,
	adoption: adoptionTab,
	autonomy: autonomyTab,
	output: outputTab,
	tools: toolsTab,
};

function tabData(tab: FigureTab, data: UsageData): ExportPage {
	const {now, before, organizationId} = data;
	return {
		name: `usage-${tab}`,
		range: now.range,
		organizationId,
		selection: {
			view: 'usage',
			tab,
			compared_with: before && {start_date: before.range.startDate, end_date: before.range.endDate},
		},
		tables: tabTables(tabs[tab], data),
	};
}

/** The Usage view: one tab for a range of days, or one person. */
export function usagePage(
	organization: Organization,
	viewState: OrganizationViewState,
	context: PageContext,
): Page {
	const {usage, people} = organization;
	const isPeople = viewState.tab === 'people';
	const {width, height} = context;
	const inner = {...context, height: height - 2};
	const built = (isPeople ? peoplePage() : tabContent()) ?? unread(viewState);
	const page = height < minFixedHeadHeight ? scrolling(built) : built;
	return {
		...page,
		head: [tabsLine(viewState.tab, width, context), [], ...page.head],
		headAction: (line, column) =>
			line === 0 ? tabActionAt(column, viewState.tab, width, context) : undefined,
	};

	function tabContent(): Page | undefined {
		if (!usage.data || viewState.tab === 'people') return undefined;
		const {data} = usage;
		const {tab} = viewState;
		const title = rangeTitle(viewState, data.now.range);
		if (isUnknown(data.now, tab)) return textPage(title, [], context.isEmbedded ? noData : noUsageText);
		const page = tabPage(tabs[tab], data, viewState.daysBack, {
			...inner,
			today: data.today,
		});
		return {...page, title, data: () => tabData(tab, data)};
	}

	function peoplePage(): Page | undefined {
		if (!people.data) return undefined;
		const {data} = people;
		const size = {...inner, today: data.today};
		const title = rangeTitle(viewState, data.range);
		const open = viewState.opened.usage;
		const person =
			open === undefined ? undefined : personPage(organization, data, open, viewState.daysBack, size);
		if (person) return {...person, title: [...title, span(safe` › `, 'dim'), ...person.title]};
		return {...peopleTab(organization, data, viewState, size), title};
	}
}

/** The page before any data is read: its range only. */
function unread({range}: OrganizationViewState): Page {
	if (typeof range === 'object') return textPage(rangeTitle({range}, range), [], []);
	const days = range === 'all' ? safe`all days` : strings.days(range);
	return textPage([...pageTitle('usage'), span(safe`  ${days}`, 'strong')], [], []);
}

/** Below this height, in rows, everything but the tabs scrolls. */
const minFixedHeadHeight = 16;

/** Makes a text page's head scroll with its lines. */
function scrolling(page: Page): Page {
	const {head, count, row, isText} = page;
	if (!isText) return page;
	const at = (index: number) => head[index] ?? row(index - head.length);
	return {...page, head: [], count: head.length + count, row: at};
}

const noData: readonly Line[] = [[span(strings.usage.noData)]];
const noUsageText: readonly Line[] = [
	...noData,
	[span(safe`A day's activity (UTC) is available the day after.`, 'dim')],
];

/** `Usage  30 days  2026-10-22 to 2026-11-20 UTC`. */
function rangeTitle({range}: Pick<OrganizationViewState, 'range'>, days: DayRange): Line {
	return [...pageTitle('usage'), ...rangeSpans(days, range === 'all' ? safe`all ` : safe``)];
}

type Keys = Pick<KeyMap, 'label'>;

/** The tab names, each with its key highlighted; the open one is in brackets, so it doesn't depend on color. */
export function tabsLine(open: UsageTab, width: number, keys: Keys): Line {
	return tabSpans(open, width, keys).flat();
}

/** The action that opens the tab at a column of the line. */
export function tabActionAt(
	column: number,
	open: UsageTab,
	width: number,
	keys: Keys,
): ActionName | undefined {
	let end = 0;
	const index = tabSpans(open, width, keys).findIndex(spans => {
		end += lineWidth(spans);
		return column < end;
	});
	const tab = usageTabs[index];
	return tab && `tab-${tab}`;
}

function tabSpans(open: UsageTab, width: number, keys: Keys): Span[][] {
	const whole = usageTabs.map(name => spansOf(name, name === open, true, keys));
	return lineWidth(whole.flat()) <= width
		? whole
		: usageTabs.map(name => spansOf(name, name === open, name === open, keys));
}

function spansOf(name: UsageTab, isOpen: boolean, isWhole: boolean, {label}: Keys): Span[] {
	const [before, key, after] = marked(name, label(`tab-${name}`));
	const tone = isOpen ? 'accent' : 'dim';
	const isLast = name === usageTabs.at(-1);
	return [
		span(isOpen ? safe`[` : safe` `, 'accent'),
		...(isWhole ? [span(before, tone)] : []),
		span(key, isOpen ? 'accent' : 'strong', {bold: true}),
		...(isWhole ? [span(after, tone)] : []),
		span(isLast ? (isOpen ? safe`]` : safe``) : isOpen ? safe`] ` : safe`  `, 'accent'),
	];
}

/** Splits a name around the letter that is its key; a key that isn't in the name goes before it. */
function marked(name: UsageTab, key: Safe): readonly [before: Safe, key: Safe, after: Safe] {
	const at = name.indexOf(key);
	if (at < 0) return [safe``, key, safe` ${cleanLine(name)}`];
	return [cleanLine(name.slice(0, at)), key, cleanLine(name.slice(at + key.length))];
}
