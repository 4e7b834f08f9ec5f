import {BoundedTextSet} from '../../api/bounded-text-set.ts';
import {pagesOf} from '../../api/pages.ts';
import {pageLimit} from '../../domain/limits.ts';
import {
	type ControlChange,
	differencesOf,
	isAbout,
	type RevisionDifference,
} from '../../domain/organization/controls.ts';
import {leavesOf, settingsInForce} from '../../domain/organization/settings-in-force.ts';
import {
	type ControlRow,
	controlColumns,
	controlRows,
	differenceObject,
	inForceObject,
	settingColumns,
} from '../../state/organization/control-columns.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, exitCodes} from '../cli/errors.ts';
import {printPages, walkUntil} from '../output/print-pages.ts';
import {checkFormat, createRowFormatter, outputColumns} from '../output/print-rows.ts';
import {strings} from './strings.ts';

/**
 * Prints changes to the organization's settings, newest first, with author and time. `--in-force` prints the
 * newest known value of each setting; `--setting` limits the output to one setting.
 */
export async function controls(context: CommandContext): Promise<ExitCode> {
	const {flags, output, wiring, clock, signal} = context;
	checkFormat(context);
	const setting = flags.text('setting');
	const service = await (await wiring()).connect();
	const isInForce = flags.is('in-force');
	const differ = createDiffer(isInForce);
	const wanted = (differences: readonly RevisionDifference[]) =>
		differences.flatMap(difference => about(difference, setting));
	const pages = walkUntil(
		pagesOf(service.controls.history, {limit: pageLimit.max}, {signal}),
		() => differ.isFull,
	);
	const shared = {what: 'revisions', pages};
	if (isInForce) {
		return printPages(context, {
			...shared,
			rowsOf: items => {
				differ.page(items);
				return [];
			},
			lastRows: () =>
				settingsInForce(differ.rest()).filter(one => setting === undefined || isAbout(one, setting)),
			none: strings.controls.noSettings,
			linesOf: createRowFormatter(context, {
				columns: outputColumns(settingColumns, {now: clock.now()}),
				objectOf: inForceObject,
			}),
			noMatches: setting === undefined ? undefined : strings.controls.noneContains(setting),
		});
	}
	const objects = createRowFormatter(context, {columns: [], objectOf: differenceObject});
	const rows = createRowFormatter(context, {
		columns: outputColumns(controlColumns, {now: clock.now()}),
		objectOf: (row: ControlRow) => row,
	});
	const code = await printPages(context, {
		...shared,
		rowsOf: items => wanted(differ.page(items)),
		lastRows: () => wanted(differ.rest()),
		none: strings.controls.none,
		linesOf: differences => (output.isJson ? objects(differences) : rows(controlRows(differences))),
		noMatches: setting === undefined ? undefined : strings.controls.noneChanged(setting),
	});
	if (differ.unordered === 0) return code;
	output.note(strings.controls.unordered(differ.unordered));
	return exitCodes.refused;
}

/** Bound on the revisions waiting in memory, in UTF-16 units of their JSON. */
const maxWaiting = 128 * 1024 * 1024;

/**
 * Computes what each revision changed as history pages arrive, newest first. A revision waits until older
 * ones cover all of its settings: a record may omit some, and each is compared with its previous known value.
 * A history in another order is collected and compared at the end, as is every history with `gathersAll`.
 */
function createDiffer(gathersAll: boolean) {
	let waiting: {readonly change: ControlChange; readonly settings: ReadonlySet<string>; size: number}[] = [];
	let isGathering = gathersAll;
	let isPrinted = false;
	let size = 0;
	let unordered = 0;
	const printed = new BoundedTextSet();

	function add(change: ControlChange): void {
		const one = {
			change,
			settings: new Set([...leavesOf(change.settings ?? {}, [])].map(([path]) => JSON.stringify(path))),
			size: JSON.stringify(change).length,
		};
		size += one.size;
		waiting.push(one);
	}

	/**
	 * How many waiting revisions, including the first, cover all of the first one's settings and their previous
	 * values; undefined while older ones are needed.
	 */
	function compared(): number | undefined {
		const [first, ...older] = waiting;
		if (!first || older.length === 0) return undefined;
		const missing = new Set(first.settings);
		for (const [index, {settings}] of older.entries()) {
			for (const path of settings) missing.delete(path);
			if (missing.size === 0) return index + 2;
		}
		return undefined;
	}

	return {
		/** Revisions left out because they arrived out of order: earlier output can't be taken back. */
		get unordered() {
			return unordered;
		},
		get isFull() {
			return size > maxWaiting;
		},
		page(changes: readonly ControlChange[]): readonly RevisionDifference[] {
			const fresh = changes.filter(({revision}) => printed.add(String(revision)));
			const last = waiting.at(-1)?.change;
			if (!isPrinted && !isDescending(last ? [last, ...fresh] : fresh)) isGathering = true;
			const found: RevisionDifference[] = [];
			for (const change of fresh) {
				const before = waiting.at(-1)?.change;
				if (!isGathering && before && change.revision > before.revision) {
					unordered++;
					continue;
				}
				add(change);
				if (isGathering) continue;
				for (let count = compared(); count !== undefined; count = compared()) {
					found.push(...differencesOf(waiting.slice(0, count).map(one => one.change)).slice(0, 1));
					size -= waiting.shift()?.size ?? 0;
				}
			}
			isPrinted ||= found.length > 0;
			return found;
		},
		/** Differences of the revisions that were still waiting at the end. */
		rest(): readonly RevisionDifference[] {
			const left = differencesOf(waiting.map(({change}) => change));
			waiting = [];
			return left;
		},
	};
}

function isDescending(changes: readonly ControlChange[]): boolean {
	return changes.every(({revision}, index) => revision <= (changes[index - 1]?.revision ?? revision));
}

function about(difference: RevisionDifference, setting: string | undefined): RevisionDifference[] {
	if (setting === undefined) return [difference];
	const changes = difference.changes.filter(change => isAbout(change, setting));
	return changes.length > 0 ? [{...difference, changes}] : [];
}
