import {useStore} from 'zustand';
import {cleanLine} from '../../text/clean.ts';
import {span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {wrapText} from '../../text/wrap.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import type {Row} from '../kit/frame.ts';
import {Pane} from '../kit/pane.tsx';
import {TextField} from '../kit/text-field.tsx';
import type {Layout} from '../layout.ts';
import {useApp} from '../use-app.ts';
import {fieldRows, inset, labelWidth, mask} from './field-rows.ts';
import {fieldEditor} from './form-state.ts';

const columns = 74;

/** A form over the panes. */
export function FormDialog({layout}: {readonly layout: Layout}) {
	const {forms} = useApp();
	const form = useStore(forms, state => state.form);
	if (!form) return undefined;
	const width = Math.min(columns, layout.columns - 4);
	const problem = form.problem === undefined ? [] : wrapText(cleanLine(form.problem), width - 4).slice(0, 4);
	const inner = dialogRect(layout, width, 0).width - 2;
	const fields = form.spec.fields.map((field, index) =>
		fieldRows(form, field, index === form.focused, inner),
	);
	const above = (index: number) => fields.slice(0, index).reduce((sum, rows) => sum + rows.length, 1);
	const wanted = above(fields.length) + (problem.length > 0 ? problem.length + 1 : 0) + 1;
	const rect = dialogRect(layout, width, wanted);
	const height = rect.height - 2;
	// A form that is taller than the screen shows the part around its focus.
	const focusRow = above(form.focused);
	const top = Math.max(0, Math.min(focusRow - Math.floor(height / 2) + 1, wanted - height));
	const rows: Row[] = [
		{line: []},
		...fields.flat(),
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
