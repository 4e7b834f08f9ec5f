import {useStore} from 'zustand';
import {cleanLine} from '../../text/clean.ts';
import {cutEnd, pad} from '../../text/cut.ts';
import {type Line, type Span, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {wrapText} from '../../text/wrap.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import type {Row} from '../kit/frame.ts';
import {Pane} from '../kit/pane.tsx';
import {TextField} from '../kit/text-field.tsx';
import type {Layout} from '../layout.ts';
import {useApp} from '../use-app.ts';
import type {Field} from './form-fields.ts';
import {type FormState, problemOf, withValue} from './form-state.ts';

const columns = 74;
const labelWidth = 14;
const narrow = 60;
/** Border, a free column and the marker at the left of a label. */
const inset = 4;

/** A form over the panes: two rows a field, its value and what is to be known or wrong about it. */
export function FormDialog({layout}: {readonly layout: Layout}) {
	const {forms} = useApp();
	const form = useStore(forms, state => state.form);
	if (!form) return undefined;
	const width = Math.min(columns, layout.columns - 4);
	const problem = form.problem === undefined ? [] : wrapText(cleanLine(form.problem), width - 4).slice(0, 4);
	const wanted = form.spec.fields.length * 2 + (problem.length > 0 ? problem.length + 1 : 0) + 2;
	const rect = dialogRect(layout, width, wanted);
	const height = rect.height - 2;
	// A form that is taller than the screen shows the part around its focus.
	const top = Math.max(0, Math.min(form.focused * 2 - Math.floor(height / 2) + 2, wanted - height));
	const rows: Row[] = [
		{line: []},
		...form.spec.fields.flatMap((field, index) =>
			fieldRows(form, field, index === form.focused, rect.width - 2),
		),
		...problem.map((row): Row => ({line: [span(safe`  `), span(row, 'bad')]})),
	];
	const field = form.spec.fields[form.focused];
	const y = rect.y + 2 + form.focused * 2 - top;
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
					value={form.values[field.name] ?? ''}
					takesTyping={() => forms.takesTyping !== false}
					onChange={value =>
						forms.setState(({form: latest}) => (latest ? {form: withValue(latest, field.name, value)} : {}))
					}
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
		? choiceSpans(field, value, isFocused)
		: [span(cutEnd(cleanLine(value), room))];
	// Under its value; from the left where every column counts.
	const indent = width < narrow ? 3 : labelWidth + 3;
	const words = isShown ? `✗ ${problem}` : isFocused ? field.hint : '';
	const under = span(cutEnd(cleanLine(words), width - indent - 1), isShown ? 'bad' : 'dim');
	return [{line: [...label, ...shown]}, {line: [span(pad(safe``, indent)), under]}];
}

function choiceSpans(field: Field, value: string, isFocused: boolean): Line {
	const choices = field.choices ?? [];
	// Many choices (computers) show the chosen one alone.
	const shown = choices.length > 4 ? choices.filter(choice => choice.value === value) : choices;
	return shown.flatMap((choice): Span[] => {
		const isChosen = choice.value === value;
		const text = cleanLine(choice.label, 40);
		return [
			span(
				isChosen ? safe`(●) ${text}` : safe`( ) ${text}`,
				isChosen ? (isFocused ? 'accent' : 'text') : 'dim',
			),
			span(safe`   `),
		];
	});
}
