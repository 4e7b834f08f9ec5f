import type {HelpEntry, HelpGroup} from '../../keys/help.ts';
import {keyLabel} from '../../keys/key-label.ts';
import {cleanLine} from '../../text/clean.ts';
import {pad} from '../../text/cut.ts';
import {type Line, type Span, span, type Tone} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {textWidth} from '../../text/width.ts';
import {wrapText} from '../../text/wrap.ts';

const indent = 2;
/** Width of the key column; on a narrow screen the descriptions need the room. */
const keyColumns = {roomy: 20, narrow: 13} as const;
const roomyFrom = 64;
/** More rows than any binding has. */
const maxRows = 8;

/**
 * The help as rows of at most `width` columns: a heading per context, with keys on the left and their
 * descriptions beside them.
 */
export function helpLines(groups: readonly HelpGroup[], width: number): Line[] {
	return groups.flatMap((group, index) => [
		...(index > 0 ? [[]] : []),
		headingLine(group),
		...group.entries.flatMap(entry => entryLines(entry, group.isHere, width)),
	]);
}

function headingLine({title, isHere}: HelpGroup): Line {
	return [span(safe` ${cleanLine(title)}`, 'heading'), ...(isHere ? [span(safe`  here`, 'accent')] : [])];
}

function entryLines({binding, keys, reason, isChosen}: HelpEntry, isHere: boolean, width: number): Line[] {
	const columns = width >= roomyFrom ? keyColumns.roomy : keyColumns.narrow;
	const isOn = reason === undefined && keys.length > 0;
	const left = keyRows(keys, columns - indent - 1);
	const room = Math.max(8, width - columns);
	const right: Span[] = [
		...rowsOf(cleanLine(binding.title), room, isHere && isOn ? undefined : 'dim'),
		...(reason === undefined ? [] : rowsOf(safe`off: ${cleanLine(reason)}`, room, 'warn')),
		...(isChosen ? rowsOf(safe`your key`, room, 'info') : []),
	];
	return Array.from({length: Math.max(left.length, right.length)}, (_, row): Line => {
		const words = right[row];
		return [
			span(pad(safe`  ${left[row] ?? safe``}`, columns), isHere && isOn ? 'accent' : 'dim'),
			...(words ? [words] : []),
		];
	});
}

function rowsOf(text: Safe, room: number, tone: Tone | undefined): Span[] {
	return wrapText(text, room, maxRows).map(row => span(row, tone));
}

/**
 * Packs as many keys into each row as fit. A key label is never truncated; one too wide breaks after a plus.
 */
function keyRows(keys: readonly string[], room: number): Safe[] {
	if (keys.length === 0) return [safe`no key`];
	const rows: Safe[] = [];
	for (const label of keys.flatMap(key => pieces(keyLabel(key), room))) {
		const last = rows.at(-1);
		const joined = last === undefined ? label : safe`${last} ${label}`;
		if (last !== undefined && textWidth(joined) <= room) rows[rows.length - 1] = joined;
		else rows.push(label);
	}
	return rows;
}

function pieces(label: Safe, room: number): readonly Safe[] {
	if (textWidth(label) <= room) return [label];
	return label.split(/(?<=\+)(?=.)/).map(piece => cleanLine(piece));
}
