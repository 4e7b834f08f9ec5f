import {characterCount} from '../../../domain/limits.ts';
import {cleanLine} from '../../../text/cells/clean.ts';
import {cutEnd, pad} from '../../../text/cells/cut.ts';
import {fitLine, type Line, lineWidth, type Span, span} from '../../../text/cells/line.ts';
import {type Safe, safe} from '../../../text/cells/safe.ts';
import {wrapStart} from '../../../text/cells/wrap.ts';
import type {Row} from '../../kit/pane.tsx';
import type {Choice, Field} from './form.ts';
import {type FormState, isReplacedByTyping, problemOf} from './form-state.ts';

export const labelWidth = 14;
/** Columns left of a label: border, blank column and focus marker. */
export const inset = 4;
export const mask = safe`*`;
/** Minimum width, in columns, for hints below the value; otherwise they start at the left edge. */
const minIndentedWidth = 60;
const maxNoteRows = 3;

/** Draws one form field in `width` columns: its value, and its hint or problem. */
export function fieldRows(form: FormState, field: Field, isFocused: boolean, width: number): Row[] {
	const value = form.values[field.name] ?? '';
	const room = width - inset - labelWidth;
	const label = [
		span(isFocused ? safe` ▌ ` : safe`   `, 'accent'),
		span(pad(cleanLine(field.label), labelWidth), isFocused ? 'strong' : 'dim'),
	];
	const [valueLine = [], ...moreChoices] = field.choices
		? choiceLines(field.choices, value, isFocused, room)
		: [[span(cutEnd(cleanLine(field.isSecret ? mask.repeat(value.length) : value), room))]];
	// Align with the value.
	const indent = width < minIndentedWidth ? 3 : labelWidth + 3;
	const notes = noteLines(form, field, isFocused, width - indent - 1);
	const valueIndent = span(pad(safe``, inset - 1 + labelWidth));
	return [
		{line: [...label, ...valueLine]},
		...moreChoices.map(line => ({line: [valueIndent, ...line]})),
		...notes.map(line => ({line: [span(pad(safe``, indent)), ...fitLine(line, width - indent - 1)]})),
	];
}

/** The field's problem, or its hint while focused; otherwise a blank row. */
function noteLines(form: FormState, field: Field, isFocused: boolean, width: number): Line[] {
	const value = form.values[field.name] ?? '';
	const problem = problemOf(form, field);
	const isFilledIn = value === field.start || value === field.follows?.(form.values);
	if (problem !== undefined && (form.isTried || !isFilledIn)) {
		return noteRows(`✗ ${problem}`, width).map(row => [span(row, 'bad')]);
	}
	if (!isFocused) return [[]];
	const count =
		field.maxLength === undefined || value === '' ? '' : ` · ${characterCount(value)} of ${field.maxLength}`;
	const replaced = isReplacedByTyping(form, field) ? 'typing replaces it; ' : '';
	return noteRows(`${replaced}${field.hint}${count}`, width).map(row => [span(row, 'dim')]);
}

function noteRows(note: string, width: number): Safe[] {
	return wrapStart(cleanLine(note), Math.max(10, width), maxNoteRows);
}

const maxChoiceRows = 4;

/** All choices, if they fit in a row or the field is focused: then in several, those around the selected one. */
function choiceLines(choices: readonly Choice[], value: string, isFocused: boolean, room: number): Line[] {
	const lines: Line[] = [];
	let chosenAt = 0;
	for (const choice of choices) {
		const isChosen = choice.value === value;
		const own = choiceSpan(choice, isChosen, isFocused);
		const longer = [...(lines.at(-1) ?? []), span(choiceGap), own];
		if (lines.length > 0 && lineWidth(longer) <= room) lines[lines.length - 1] = longer;
		else lines.push([own]);
		if (isChosen) chosenAt = lines.length - 1;
	}
	if (lines.length <= 1) return lines;
	const chosen = choices.find(choice => choice.value === value);
	if (!isFocused) return chosen ? [[choiceSpan(chosen, true, false)]] : [];
	const from = Math.max(0, Math.min(chosenAt - 1, lines.length - maxChoiceRows));
	const end = from + maxChoiceRows;
	return [...lines.slice(from, end), ...(end < lines.length ? [[span(safe`…`, 'dim')]] : [])];
}

const choiceGap = safe`   `;

function choiceSpan({label}: Choice, isChosen: boolean, isFocused: boolean): Span {
	const clean = cleanLine(label, 40);
	return isChosen ? span(safe`(●) ${clean}`, isFocused ? 'accent' : 'text') : span(safe`( ) ${clean}`, 'dim');
}
