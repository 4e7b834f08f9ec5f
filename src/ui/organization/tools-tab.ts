import {compareTotals} from '../../domain/usage/comparison.ts';
import type {McpServer} from '../../domain/usage/mcp-servers.ts';
import type {UsageData} from '../../state/organization.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Line} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import {dayTable} from './day-table.ts';
import {dimLines, type Page, type PageSize, section, textPage} from './page.ts';
import {tabBlocks} from './tab-blocks.ts';
import {dayBars} from './tab-charts.ts';
import {unusualLines} from './unusual-lines.ts';
import {
	type Block,
	changeText,
	comparedRangeText,
	figure,
	figureLines,
	listBars,
	rankedBars,
	restText,
	sharedLabels,
	unknownDays,
} from './usage-words.ts';

const maxRows = 50;

/** The Tools tab: usage of tools, MCP servers, skills, commands and hooks. */
export function toolsTab(data: UsageData, back: number, size: PageSize): Page {
	const {now, before} = data;
	const {calls, tools, servers, skills, slashCommands, hooks, artifacts} = now.tools;
	const {meanMcpUsers, meanWebUsers, trends} = now.tools;
	const {width} = size;
	const {isWide, left, right, beside, chart} = tabBlocks(size);
	const own: Block = {...size, width: left};
	const labelColumns = sharedLabels(
		skills.entries,
		slashCommands.entries,
		hooks.entries,
		servers.map(({name}) => ({label: `${name} ≈`})),
	);
	const block: Block = {...size, width: right, labelColumns};
	const head: Line[] = [
		...figureLines(
			[
				[
					...figure(calls.total.sum, safe`tool calls  `),
					changeText(compareTotals(calls.total, before?.tools.calls.total).change),
					...(isWide ? comparedRangeText(before?.range) : []),
				],
				figure(
					meanMcpUsers === undefined ? undefined : Math.round(meanMcpUsers * 10) / 10,
					safe`MCP users per day (mean)`,
				),
				figure(
					meanWebUsers === undefined ? undefined : Math.round(meanWebUsers * 10) / 10,
					safe`web users per day (mean)`,
				),
			],
			width,
		),
		unknownDays(calls.trend),
		...dayBars(calls.trend, safe`tool calls`, 'sum', chart(0.24, back)),
		[],
	];
	const scraps = [...artifacts.values()].reduce((a, b) => a + b, 0);
	const ours = section(
		safe`Tools`,
		[
			...rankedBars(tools, own, maxRows),
			...(artifacts.size > 0
				? dimLines(
						safe`unrecognized: ${artifacts.size} malformed names, ${exactNumber(scraps)} calls`,
						own.width,
					)
				: []),
		],
		restText(tools, maxRows),
		own.width,
	);
	const others = [
		...section(safe`MCP servers`, serverLines(servers, block)),
		...section(safe`Skills`, rankedBars(skills, block, maxRows), restText(skills, maxRows), block.width),
		...section(
			safe`Slash commands`,
			rankedBars(slashCommands, block, maxRows),
			restText(slashCommands, maxRows),
			block.width,
		),
		...section(safe`Hooks`, rankedBars(hooks, block, maxRows), restText(hooks, maxRows), block.width),
	];
	const unusual = unusualLines(data, 'tools', own.width);
	return textPage([], head, [
		...(isWide ? beside([...ours, ...unusual], others) : [...ours, ...others, ...unusual]),
		...dayTable(
			[
				[safe`CALLS`, calls.trend],
				[safe`MCP USERS`, now.tools.mcpUsers],
				[safe`WEB USERS`, now.tools.webUsers],
				[safe`SKILLS`, trends.skills],
				[safe`COMMANDS`, trends.slashCommands],
				[safe`HOOKS`, trends.hooks],
			],
			width,
		),
	]);
}

/** One row per server; a name reported in several spellings is marked, and its spellings are listed. */
function serverLines(servers: readonly McpServer[], block: Block): Line[] {
	const shown = servers.slice(0, maxRows);
	const lines = listBars(
		shown.map(({name, invocations, spellings}) => ({
			label: cleanLine(name, 60),
			value: invocations,
			...(spellings.length > 1 && {mark: safe`≈`}),
		})),
		block,
	);
	const merged = shown.filter(({spellings}) => spellings.length > 1);
	if (merged.length === 0) return lines;
	const words = merged.map(({spellings}) => spellings.map(({server}) => server).join(' + ')).join(', ');
	return [...lines, ...dimLines(safe`≈ merged: ${cleanLine(words, 200)}`, block.width)];
}
