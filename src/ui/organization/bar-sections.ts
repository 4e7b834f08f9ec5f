import {createExportTable, type ExportColumn, type ExportColumnOf} from '../../domain/export-table.ts';
import type {Attribution, Ranked} from '../../domain/usage/breakdowns.ts';
import type {UsagePeriod} from '../../state/organization/organization.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Line} from '../../text/cells/line.ts';
import {joinSafe, type Safe, safe} from '../../text/cells/safe.ts';
import {type BarRow, barList} from '../../text/charts/bar-list.ts';
import {exactNumber, percent} from '../../text/values/numbers.ts';
import {counted} from './page.ts';
import type {TabBlock, TabSection} from './usage-tab.ts';

/** Rows with a value each: bars on the screen, a table in exports. */
export function bars<Row>({
	rows,
	bar,
	tableName,
	columns,
	...section
}: Pick<TabSection, 'side' | 'title' | 'remark'> & {
	readonly rows: (period: UsagePeriod) => readonly Row[];
	readonly bar: (row: Row) => BarRow;
	readonly tableName: string;
	readonly columns: readonly ExportColumnOf<Row>[];
}): TabSection {
	return {
		...section,
		lines: ({now}, block) => barList(rows(now).map(bar), block),
		table: period => createExportTable(tableName, columns, rows(period)),
	};
}

/** A total by name: ranked bars on the screen, a table in exports. */
type Breakdown = Required<Pick<TabSection, 'side' | 'title'>> & {
	readonly of: (period: UsagePeriod) => Attribution;
	/** In the export: the names of the table, of the column of names, and of the column of values. */
	readonly table: (period: UsagePeriod) => readonly [name: string, key: string, measure: string];
	readonly details?: (period: UsagePeriod) => readonly ExportColumn<Part>[];
	/** Maximum bars; the rest are summed up. */
	readonly maxRows?: number;
	readonly maxNarrowRows?: number;
	/** Minimum width of the labels, in columns. */
	readonly labelColumns?: (period: UsagePeriod) => number;
	/** Whether the remark counts the entries, as users. */
	readonly countsUsers?: true;
	readonly footer?: (period: UsagePeriod, width: number) => Line[];
};

/** Default maximum rows of a list; the rest are summed up in one remark. */
const defaultMaxRows = 500;

export function breakdown(options: Breakdown): TabSection {
	const {side, title, of, table, details, countsUsers, footer} = options;
	const {maxRows = defaultMaxRows, maxNarrowRows = maxRows, labelColumns} = options;
	const shown = ({isWide}: TabBlock) => (isWide ? maxRows : maxNarrowRows);
	return {
		side,
		title,
		remark(period, block) {
			const all = of(period);
			const {length} = all.entries;
			const count = countsUsers ? [safe`${length} ${counted(length, safe`user`, safe`users`)}`] : [];
			return joinSafe([...count, ...restTexts(all, shown(block))], safe`, `);
		},
		lines({now}, block) {
			const rows = of(now).entries.slice(0, shown(block));
			return [
				...barList(
					rows.map(({label, value, share}) => ({label: cleanLine(label, 120), value, share})),
					{...block, labelColumns: labelColumns?.(now) ?? 0},
				),
				...(footer?.(now, block.width) ?? []),
			];
		},
		table(period) {
			const [name, key, measure] = table(period);
			const {entries, total, unattributed} = of(period);
			const share = total > 0 ? unattributed / total : undefined;
			return createExportTable<Part>(
				name,
				[
					{name: key, value: part => part.key},
					...(details?.(period) ?? []),
					{name: measure, value: ({value}) => value},
					'share',
				],
				unattributed === 0 ? entries : [...entries, {value: unattributed, share}],
			);
		},
	};
}

/** Notes on what the bars omit: entries beyond `maxRows`, and the unattributed amount. */
function restTexts({entries, total, unattributed}: Attribution, maxRows: number): Safe[] {
	const rest = entries.slice(maxRows);
	const others = rest.reduce((sum, {value}) => sum + value, 0);
	const restText = rest.length > 0 ? [safe`${rest.length} others ${exactNumber(others)}`] : [];
	if (unattributed === 0 || total === 0) return restText;
	const share = percent(Math.abs(unattributed) / total);
	const difference =
		unattributed > 0
			? safe`${exactNumber(unattributed)} unattributed (${share})`
			: safe`names add up to ${exactNumber(-unattributed)} more than the total (${share})`;
	return [...restText, difference];
}

/** Longer labels don't widen the other lists. */
const maxSharedWidth = 24;

/** Label width, in columns, shared by several lists so that their bars align. */
export function sharedLabels(...lists: readonly (readonly {readonly label: string}[])[]): number {
	const widths = lists.flatMap(list => list.slice(0, defaultMaxRows).map(({label}) => label.length));
	return widths.reduce((widest, width) => (width <= maxSharedWidth ? Math.max(widest, width) : widest), 0);
}

/** An entry of a breakdown. The unattributed part has no name, so that the rows sum to the total. */
export type Part = Partial<Pick<Ranked, 'key' | 'label'>> & Pick<Ranked, 'value' | 'share'>;
