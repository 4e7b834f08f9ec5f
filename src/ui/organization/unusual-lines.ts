import {
	type MoverOf,
	type UnusualDayOf,
	type UnusualTopic,
	unusualTopics,
} from '../../domain/usage/unusual.ts';
import type {UsageData} from '../../state/organization/organization.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {fitLine, type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {exactNumber, percent, shortNumber, signedPercent, signedPoints} from '../../text/values/numbers.ts';
import {type Cell, type Column, tableLines} from '../../text/values/table.ts';
import {dimLines, section} from './page.ts';
import {strings} from './strings.ts';

const text = strings.unusual;

const maxDays = 5;
const maxMovers = 8;
const maxDrivers = 2;

const dayColumns: readonly Column[] = [{}, {}, {align: 'end'}, {grow: true}, {}];
const moverColumns: readonly Column[] = [{}, {grow: true}, {}, {align: 'end'}, {align: 'end'}, {}];

/** A tab's unusual days, and who or what changed most since the previous period. */
export function unusualLines({unusual, before}: UsageData, topic: UnusualTopic, width: number): Line[] {
	const {days, movers} = unusual[topic];
	return [
		...section(
			text.days,
			days.length > 0 ? dayLines(days.slice(0, maxDays), width) : dimLines(text.noDays, width),
			days.length > 0 ? text.daysNote : safe``,
			width,
		),
		...section(
			text.changes,
			movers.length > 0
				? tableLines(moverColumns, topMovers(movers).map(moverCells), {width})
				: dimLines(before ? text.noChanges : text.noHistory, width),
			movers.length > 0 ? text.changesNote : safe``,
			width,
		),
	];
}

/** The most unusual days on all other tabs; empty when there are none. */
export function unusualElsewhere({unusual}: UsageData, topic: UnusualTopic, width: number): Line[] {
	const days = unusualTopics
		.filter(other => other !== topic)
		.flatMap(other => unusual[other].days)
		.sort((a, b) => Math.abs(b.score) - Math.abs(a.score))
		.slice(0, maxDays);
	return section(text.otherDays, dayLines(days, width), text.daysNote, width);
}

function dayLines(days: readonly UnusualDayOf[], width: number): Line[] {
	const table = tableLines(
		dayColumns,
		days.map(({date, value, usual, measure}): Cell[] => [
			arrow(value > usual, 'warn'),
			{text: cleanLine(date)},
			{text: exactNumber(value), tone: 'strong'},
			{text: strings.measures[measure]},
			{text: text.usual(shortNumber(usual)), tone: 'dim'},
		]),
		{width},
	);
	return table.flatMap((line, index) => [line, ...driverLines(days[index], width)]);
}

/** Who or what deviated most from the usual on an unusual day, largest first. */
function driverLines(day: UnusualDayOf | undefined, width: number): Line[] {
	const drivers = (day?.drivers ?? [])
		.toSorted((a, b) => Math.abs(b.value - b.usual) - Math.abs(a.value - a.usual))
		.slice(0, maxDrivers);
	return drivers.map(({label, of, value, usual}) =>
		fitLine(
			[
				span(safe`   ${cleanLine(of)} `, 'dim'),
				span(cleanLine(label, 60)),
				span(safe`  ${text.valueAndUsual(shortNumber(value), shortNumber(usual))}`, 'dim'),
			],
			width,
		),
	);
}

/** Limits movers per kind, so that a thousand users don't crowd out the models. */
function topMovers(movers: readonly MoverOf[]): readonly MoverOf[] {
	const kinds = Map.groupBy(movers, mover => mover.of);
	const each = Math.max(2, Math.floor(maxMovers / Math.max(1, kinds.size)));
	return [...kinds.values()].flatMap(list => list.slice(0, each));
}

function moverCells({label, of, kind, now, before, change}: MoverOf): Cell[] {
	const isShare = of === 'level';
	const format = (value: number) => (isShare ? percent(value) : shortNumber(value));
	const changed = isShare ? signedPoints(now - before) : signedPercent(change);
	return [
		arrow(kind === 'up' || kind === 'new', 'info'),
		{text: cleanLine(label, 60)},
		{text: cleanLine(of), tone: 'dim'},
		{text: kind === 'new' || kind === 'gone' ? cleanLine(kind) : changed, tone: 'strong'},
		{text: format(now), tone: 'strong'},
		{text: text.was(format(before)), tone: 'dim'},
	];
}

function arrow(isUp: boolean, tone: 'warn' | 'info'): Cell {
	return {text: isUp ? safe`▲` : safe`▼`, tone};
}
