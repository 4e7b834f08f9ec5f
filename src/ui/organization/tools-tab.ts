import {compareTotals} from '../../domain/usage/comparison.ts';
import type {McpServer} from '../../domain/usage/mcp-servers.ts';
import type {UsageData} from '../../state/organization.ts';
import {barList} from '../../text/charts/bar-list.ts';
import {cleanLine} from '../../text/clean.ts';
import {type Line, span} from '../../text/line.ts';
import {exactNumber} from '../../text/numbers.ts';
import {safe} from '../../text/safe.ts';
import {than} from './credits-tab.ts';
import {beside, type Page, type PageSize, section, textPage} from './page.ts';
import {dayBars} from './tab-charts.ts';
import {changeWords, figure, figures, rankedBars, restWords, unknownDays} from './usage-words.ts';

const wide = 110;
const most = 50;

/** Which tools, MCP servers, skills, commands and hooks are used. */
export function toolsTab({now, before}: UsageData, back: number, {width, height}: PageSize): Page {
	const {calls, tools, servers, skills, slashCommands, hooks, artifacts, meanMcpUsers} = now.tools;
	const isWide = width >= wide;
	const left = isWide ? Math.floor(width / 2) : width;
	const column = isWide ? width - left : width;
	const place = {width: width - 2, height: Math.max(3, Math.min(10, Math.floor(height * 0.24))), back};
	const head: Line[] = [
		[
			...figures([
				[
					...figure(calls.total.sum, safe`tool calls  `),
					changeWords(compareTotals(calls.total, before?.tools.calls.total).change),
					...(isWide ? than(before?.range) : []),
				],
				figure(
					meanMcpUsers === undefined ? undefined : Math.round(meanMcpUsers * 10) / 10,
					safe`MCP users a day (mean)`,
				),
			]),
		],
		unknownDays(calls.trend),
		...dayBars(calls.trend, safe`tool calls`, 'sum', place),
		[],
	];
	const ours = section(
		safe`Tools`,
		[
			...rankedBars(tools, left - 2, most),
			...(artifacts.size > 0
				? [
						[
							span(
								safe`unrecognised: ${artifacts.size} names that are scraps of a call, ${exactNumber([...artifacts.values()].reduce((a, b) => a + b, 0))} calls`,
								'dim',
							),
						] as Line,
					]
				: []),
		],
		restWords(tools, most),
	);
	const others = [
		...section(safe`MCP servers`, serverLines(servers, column)),
		...section(safe`Skills`, rankedBars(skills, column, most), restWords(skills, most)),
		...section(safe`Slash commands`, rankedBars(slashCommands, column, most), restWords(slashCommands, most)),
		...section(safe`Hooks`, rankedBars(hooks, column, most), restWords(hooks, most)),
	];
	return textPage([], head, isWide ? beside(ours, others, left) : [...ours, ...others]);
}

/** One row a server; a name that came in several spellings is marked, and says them. */
function serverLines(servers: readonly McpServer[], width: number): Line[] {
	const shown = servers.slice(0, most);
	const lines = barList(
		shown.map(({name, invocations, spellings}) => ({
			label: cleanLine(name, 60),
			value: invocations,
			...(spellings.length > 1 && {mark: safe`≈`}),
		})),
		{width},
	);
	const merged = shown.filter(({spellings}) => spellings.length > 1);
	if (merged.length === 0) return lines;
	const words = merged.map(({spellings}) => spellings.map(({server}) => server).join(' + ')).join(', ');
	return [...lines, [span(safe`≈ merged: ${cleanLine(words, 200)}`, 'dim')]];
}
