import {type UnusualDayOf, type UnusualTopic, unusualTopics} from '../../domain/usage/unusual.ts';
import type {UsageData} from '../../state/organization/organization.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Line} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {exactNumber, shortNumber} from '../../text/values/numbers.ts';
import {type Cell, type Column, tableLines} from '../../text/values/table.ts';
import {dimLines, section} from './page.ts';
import {strings} from './strings.ts';

const text = strings.unusual;

const maxDays = 5;

const dayColumns: readonly Column[] = [{}, {}, {align: 'end'}, {grow: true}, {}];

/** A tab's unusual days. */
export function unusualLines({unusual}: UsageData, topic: UnusualTopic, width: number): Line[] {
	const days = unusual[topic];
	return section(
		text.days,
		days.length > 0 ? dayLines(days.slice(0, maxDays), width) : dimLines(text.noDays, width),
		days.length > 0 ? text.daysNote : safe``,
		width,
	);
}

/** The most unusual days on all other tabs; empty when there are none. */
export function unusualElsewhere({unusual}: UsageData, topic: UnusualTopic, width: number): Line[] {
	const days = unusualTopics
		.filter(other => other !== topic)
		.flatMap(other => unusual[other])
		.sort((a, b) => Math.abs(b.score) - Math.abs(a.score))
		.slice(0, maxDays);
	return section(text.otherDays, dayLines(days, width), text.daysNote, width);
}

function dayLines(days: readonly UnusualDayOf[], width: number): Line[] {
	return tableLines(
		dayColumns,
		days.map(({date, value, usual, measure}): Cell[] => [
			arrow(value > usual),
			{text: cleanLine(date)},
			{text: exactNumber(value), tone: 'strong'},
			{text: strings.measures[measure]},
			{text: text.usual(shortNumber(usual)), tone: 'dim'},
		]),
		{width},
	);
}

function arrow(isUp: boolean): Cell {
	return {text: isUp ? safe`▲` : safe`▼`, tone: 'warn'};
}
