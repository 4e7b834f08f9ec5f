import type {UsageData} from '../../state/organization.ts';
import {cleanLine} from '../../text/clean.ts';
import type {Line} from '../../text/line.ts';
import {exactNumber, shortNumber, signedPercent} from '../../text/numbers.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {type Cell, type Column, tableLines} from '../../text/table.ts';
import {dimLines, section} from './page.ts';

const mostDays = 5;
const mostMoved = 8;

const dayColumns: readonly Column[] = [
	{title: safe``},
	{title: safe``},
	{title: safe``, align: 'end'},
	{title: safe``, grow: true},
];
const moverColumns: readonly Column[] = [
	{title: safe``},
	{title: safe``, grow: true},
	{title: safe``, align: 'end'},
	{title: safe``, align: 'end'},
	{title: safe``},
];

/** What changed unusually: days that stand out, and who or what moved most since the period before. */
export function unusualLines({unusual, movers, before}: UsageData, width: number): Line[] {
	const days = unusual
		.slice(0, mostDays)
		.map(({date, value, usual}): Cell[] => [
			arrow(value > usual, 'warn'),
			{text: cleanLine(date)},
			{text: exactNumber(value), tone: 'strong'},
			{text: safe`usual that weekday ${shortNumber(usual)}`, tone: 'dim'},
		]);
	const moved = movers
		.slice(0, mostMoved)
		.map(({label, kind, now, before: was, change}): Cell[] => [
			arrow(kind === 'up' || kind === 'new', 'info'),
			{text: cleanLine(label, 60)},
			{text: kind === 'new' || kind === 'gone' ? cleanLine(kind) : signedPercent(change), tone: 'strong'},
			{text: shortNumber(now), tone: 'strong'},
			{text: safe`after ${shortNumber(was)}`, tone: 'dim'},
		]);
	const table = (columns: readonly Column[], rows: readonly Cell[][], none: Safe) =>
		rows.length > 0 ? tableLines(columns, rows, {width, hasHeading: false}) : dimLines(none, width);
	return [
		...section(
			safe`Unusual days`,
			table(dayColumns, days, safe`No day stands out from its weekday of the weeks before`),
		),
		...section(
			safe`Moved most`,
			table(
				moverColumns,
				moved,
				before ? safe`No model or user moved much` : safe`The history does not reach back that far`,
			),
		),
	];
}

function arrow(isUp: boolean, tone: 'warn' | 'info'): Cell {
	return {text: isUp ? safe`▲` : safe`▼`, tone};
}
