import {useStore} from 'zustand';
import {cleanLine} from '../../../text/cells/clean.ts';
import {cutEnd} from '../../../text/cells/cut.ts';
import {type Line, span} from '../../../text/cells/line.ts';
import {safe} from '../../../text/cells/safe.ts';
import {wrapStart, wrapText} from '../../../text/cells/wrap.ts';
import {dialogRect} from '../../kit/dialog-rect.ts';
import {Pane, type Row} from '../../kit/pane.tsx';
import {TextField} from '../../kit/text-field.tsx';
import type {Layout} from '../../layout.ts';
import {useZone, zoneOrder} from '../../mouse/zones.ts';
import {useApp} from '../../use-app.ts';
import type {DialogModule, DialogProps} from '../dialog-module.ts';
import {fieldRows, inset, labelWidth, mask} from './field-rows.ts';
import {formLayer} from './form-bindings.ts';
import {type FormState, fieldEditor, fieldsOf, withChoice, withFocus} from './form-state.ts';

const maxWidth = 74;

function FormDialog({layout}: DialogProps<'form'>) {
	const {forms} = useApp();
	const form = useStore(forms, state => state.form);
	return form && <OpenForm form={form} layout={layout} />;
}

function OpenForm({form, layout}: {readonly form: FormState; readonly layout: Layout}) {
	const {forms, stores} = useApp();
	// A choice of agents is one of those that are known by now.
	useStore(stores.connection, ({agents}) => agents);
	const all = fieldsOf(form);
	const width = Math.min(maxWidth, layout.columns - 4);
	const problem =
		form.problem === undefined ? [] : wrapStart(cleanLine(form.problem.replaceAll('\n', ' ')), width - 4, 4);
	const intro = form.spec.intro === undefined ? [] : wrapText(cleanLine(form.spec.intro), width - 6);
	const above = [
		...intro.map(row => span(row)),
		...(form.isReopened ? [span(cutEnd(safe`The text from last time is filled in.`, width - 6), 'dim')] : []),
	];
	const introRows: Row[] = [
		{line: []},
		...above.map((row): Row => ({line: [span(safe`   `), row]})),
		...(above.length > 0 ? [{line: []}] : []),
	];
	const inner = dialogRect(layout, width, 0).width - 2;
	const fields = all.map((one, index) => fieldRows(form, one, index === form.focused, inner));
	const rowsAbove = (index: number) =>
		fields.slice(0, index).reduce((sum, own) => sum + own.length, introRows.length);
	const contentHeight = rowsAbove(all.length) + 1 + (problem.length > 0 ? problem.length + 1 : 0);
	const rect = dialogRect(layout, width, contentHeight);
	const height = rect.height - 2;
	// A form taller than the screen scrolls to keep the focused field visible.
	const focusRow = rowsAbove(form.focused);
	const top = Math.max(0, Math.min(focusRow - Math.floor(height / 2) + 1, contentHeight - height));
	const rows: Row[] = [
		...introRows,
		...fields.flat(),
		...problem.map((row): Row => ({line: [span(safe`  `), span(row, 'bad')]})),
	];
	const field = all[form.focused];
	const y = rect.y + 1 + focusRow - top;
	const hint: Line = form.isBusy
		? [span(safe`${cleanLine(form.spec.busy ?? 'waiting for the service')} ...`, 'info')]
		: field?.choices
			? [span(safe`← → select`, 'dim')]
			: [];
	useZone({
		rect,
		order: zoneOrder.dialog,
		press({y: at}) {
			const row = at - 1 + top;
			const pressed = fields.findIndex((_, index) => row >= rowsAbove(index) && row < rowsAbove(index + 1));
			const choice = all[pressed];
			if (form.isBusy || !choice) return;
			const isAgain = pressed === form.focused && choice.choices !== undefined;
			forms.setState({form: isAgain ? withChoice(form, choice, 1) : withFocus(form, pressed - form.focused)});
		},
	});
	return (
		<>
			<Pane
				rect={rect}
				title={[span(cleanLine(form.spec.title), 'heading')]}
				bottom={hint}
				isFocused
				body={rows.slice(top, top + height)}
			/>
			{field && !field.choices && !form.isBusy && (
				<TextField
					key={field.name}
					rect={{x: rect.x + inset + labelWidth, y, width: rect.width - inset - labelWidth - 2, height: 1}}
					editor={fieldEditor(form, field.name)}
					mask={field.isSecret ? mask : undefined}
				/>
			)}
		</>
	);
}

export const formDialog: DialogModule<'form'> = {Component: FormDialog, layer: formLayer};
