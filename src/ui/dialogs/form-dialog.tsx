import {useStore} from 'zustand';
import {cleanLine} from '../../text/clean.ts';
import {cutEnd, pad} from '../../text/cut.ts';
import {fitLine, type Line, lineWidth, type Span, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {wrapText} from '../../text/wrap.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import type {Row} from '../kit/frame.ts';
import {Pane} from '../kit/pane.tsx';
import {TextField} from '../kit/text-field.tsx';
import type {Layout} from '../layout.ts';
import {useApp} from '../use-app.ts';
import type {Field} from './form-fields.ts';
import {type FormState, fieldEditor, problemOf} from './form-state.ts';

const columns = 74;
const labelWidth = 14;
const narrow = 60;
const mask = '*';
/** Border, a free column and the marker at the left of a label. */
const inset = 4;

/** A form over the panes: two rows a field, its value and what is to be known or wrong about it. */
export function FormDialog({layout}: {readonly layout: Layout}) {
	const {forms} = useApp();
	const form = useStore(forms, state => state.form);
	if (!form) return undefined;
	const width = Math.min(columns, layout.columns - 4);
	const problem = form.problem === undefined ? [] : wrapText(cleanLine(form.problem), width - 4).slice(0, 4);
	const heights = form.spec.fields.map(field => 2 + itemsOf(form, field).length);
	const above = (index: number) => heights.slice(0, index).reduce((sum, height) => sum + height, 1);
	const wanted = above(heights.length) + (problem.length > 0 ? problem.length + 1 : 0) + 1;
	const rect = dialogRect(layout, width, wanted);
	const height = rect.height - 2;
	// A form that is taller than the screen shows the part around its focus.
	const focusRow = above(form.focused);
	const top = Math.max(0, Math.min(focusRow - Math.floor(height / 2) + 1, wanted - height));
	const rows: Row[] = [
		{line: []},
		...form.spec.fields.flatMap((field, index) =>
			fieldRows(form, field, index === form.focused, rect.width - 2),
		),
		...problem.map((row): Row => ({line: [span(safe`  `), span(row, 'bad')]})),
	];
	const field = form.spec.fields[form.focused];
	const y = rect.y + 1 + focusRow - top;
	const hint = form.isBusy
		? safe`asking the service ...`
		: safe`Enter next · Ctrl+S ${cleanLine(form.spec.submit.toLowerCase())} · Esc cancel`;
	return (
		<>
			<Pane
				rect={rect}
				title={[span(cleanLine(form.spec.title), 'heading')]}
				bottom={[span(hint, form.isBusy ? 'info' : 'dim')]}
				isFocused
				body={rows.slice(top, top + height)}
			/>
			{field && !field.choices && !form.isBusy && (
				<TextField
					key={field.name}
					rect={{x: rect.x + inset + labelWidth, y, width: rect.width - inset - labelWidth - 2, height: 1}}
					editor={fieldEditor(form, field.name)}
					{...(field.isSecret && {mask})}
				/>
			)}
		</>
	);
}

function fieldRows(form: FormState, field: Field, isFocused: boolean, width: number): Row[] {
	const value = form.values[field.name] ?? '';
	const problem = problemOf(form, field);
	const isShown = problem !== undefined && (form.isTried || value !== field.start);
	const room = width - inset - labelWidth;
	const label = [
		span(isFocused ? safe` ▌ ` : safe`   `, 'accent'),
		span(pad(cleanLine(field.label), labelWidth), isFocused ? 'strong' : 'dim'),
	];
	const shown: Line = field.choices
		? choiceSpans(field, value, isFocused, room)
		: [span(cutEnd(field.isSecret ? hidden(value) : cleanLine(value), room))];
	// Under its value; from the left where every column counts.
	const indent = width < narrow ? 3 : labelWidth + 3;
	const count = field.most === undefined || value === '' ? '' : ` · ${value.length} of ${field.most}`;
	const words = isShown ? `✗ ${problem}` : isFocused ? `${field.hint}${count}` : '';
	const under = span(cutEnd(cleanLine(words), width - indent - 1), isShown ? 'bad' : 'dim');
	const indented = (line: Line): Row => ({line: [span(pad(safe``, indent)), ...line]});
	return [
		{line: [...label, ...shown]},
		...itemsOf(form, field).map(item => indented(fitLine(item, width - indent - 1))),
		indented([under]),
	];
}

/** More of a list than this is counted: the form is to stay a form. */
const mostItems = 4;

/** The parts of a list that is typed, the last ones whole, each with what is wrong with it. */
function itemsOf(form: FormState, field: Field): Line[] {
	const items = field.items?.(form.values[field.name] ?? '') ?? [];
	// One stands in the field as it is.
	if (items.length < 2) return [];
	const from = items.length > mostItems ? items.length - mostItems + 1 : 0;
	const hidden = items.slice(0, from);
	const wrong = hidden.filter(({problem}) => problem !== undefined).length;
	const more: Line[] =
		from === 0
			? []
			: [
					[
						span(safe`… ${from} before`, 'dim'),
						span(wrong === 0 ? safe`` : safe`, ${wrong} of them wrong`, 'bad'),
					],
				];
	return [
		...more,
		...items.slice(from).map(({text, problem}, index): Line => {
			const number = safe`${from + index + 1} `;
			return problem === undefined
				? [span(safe`✓ `, 'good'), span(number, 'dim'), span(cleanLine(text, 300))]
				: [span(safe`✗ `, 'bad'), span(number, 'dim'), span(cleanLine(text, 300), 'bad')];
		}),
	];
}

/** A secret is as long as it is, and nothing more is seen of it. */
function hidden(value: string): Safe {
	return cleanLine(mask.repeat(value.length));
}

function choiceSpans(field: Field, value: string, isFocused: boolean, room: number): Line {
	const choices = field.choices ?? [];
	const all = choices.flatMap(choice => choiceSpan(choice.label, choice.value === value, isFocused));
	if (choices.length <= 4 && lineWidth(all) <= room + choiceGap.length) return all;
	// Many choices (computers), or no room: the chosen one alone.
	const chosen = choices.find(choice => choice.value === value);
	return chosen ? choiceSpan(chosen.label, true, isFocused) : [];
}

const choiceGap = safe`   `;

function choiceSpan(label: string, isChosen: boolean, isFocused: boolean): Span[] {
	const text = cleanLine(label, 40);
	return [
		span(
			isChosen ? safe`(●) ${text}` : safe`( ) ${text}`,
			isChosen ? (isFocused ? 'accent' : 'text') : 'dim',
		),
		span(choiceGap),
	];
}
