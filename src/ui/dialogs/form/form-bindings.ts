import {notify} from '../../../actions/notify.ts';
import type {EditorAction} from '../../../text/editor/editor-state.ts';
import {editorActionOf} from '../../composer/editing-bindings.ts';
import type {KeyLayer} from '../../input.ts';
import {type BindingOf, bindingsIn, bindingsOf, type Now} from '../../keys/binding.ts';
import {fieldText} from '../../kit/text-field.tsx';
import type {AppParts} from '../../use-app.ts';
import {cancel} from '../dialog-bindings.ts';
import {
	changesOf,
	type FormState,
	fieldsOf,
	focusedField,
	submitWord,
	withChoiceKey,
	withEdit,
	withFocus,
} from './form-state.ts';
import {closeForm} from './open-form.ts';
import {submit} from './submit-form.ts';

const formOf = ({parts}: Now) => parts.forms.getState().form;

/** Whether the open form keeps its text when it is closed. */
const keepsText = (now: Now): boolean => {
	const form = formOf(now);
	const isOnTop = now.view.dialogs.at(-1)?.kind === 'form';
	return isOnTop && form?.spec.keptAs !== undefined && changesOf(form) !== undefined;
};

const toField = (by: 1 | -1) =>
	({
		isEnabled(now) {
			const form = formOf(now);
			return !form || fieldsOf(form).length > 1 || 'This form has only one field';
		},
		run: ({forms}) => forms.setState(({form}) => (form ? {form: withFocus(form, by)} : {})),
	}) as const satisfies Partial<BindingOf<string>>;

export const formBindings = bindingsOf([
	...bindingsIn({contexts: ['form'], isPaletteHidden: true}, [
		{action: 'next-field', keys: ['tab', 'down'], title: 'Next field', hint: 'next field', ...toField(1)},
		{
			action: 'previous-field',
			keys: ['shift+tab', 'up'],
			title: 'Previous field',
			hint: 'back',
			...toField(-1),
		},
		{
			action: 'submit',
			keys: ['enter'],
			title: 'Submit, or go to the missing field',
			hint: 'submit',
			hintNow(now) {
				const form = formOf(now);
				return form && submitWord(form);
			},
			run: parts => void submit(parts),
		},
		{action: 'submit-now', keys: ['ctrl+s'], title: 'Submit', run: parts => void submit(parts)},
	]),
	{
		...cancel,
		title: 'Cancel; a form that creates something keeps the text for next time',
		hint: 'cancel',
		hintNow: now => (keepsText(now) ? 'close, keep text' : undefined),
		contexts: ['form'],
		run: closeForm,
	},
]);

/** Keys of the open form: first its own, then those that edit the focused field, then text. */
export function formLayer(parts: AppParts): KeyLayer {
	const {forms} = parts;
	const change = (next: (form: FormState) => FormState) =>
		forms.setState(({form}) => (form ? {form: next(form)} : {}));
	const edit = (action: EditorAction) => change(form => withEdit(form, action));
	const insert = (form: FormState, typed: string) => {
		if (focusedField(form)?.choices) refuseText(parts);
		else edit({type: 'insert', text: fieldText(typed)});
	};
	return {
		isModal: true,
		handle(press) {
			const {form} = forms.getState();
			if (!form) return 'ignored';
			const field = focusedField(form);
			const action = parts.keys.find(['form'], press.name)?.action;
			const editing = editorActionOf(action);
			if (action !== undefined && !editing) parts.input.handleKey(parts, press, ['form']);
			else if (field?.choices) {
				change(now => withChoiceKey(now, field, press));
				if (press.text !== '' && forms.getState().form === form) refuseText(parts);
			} else if (editing) edit(editing);
			else if (press.text !== '') insert(form, press.text);
			return 'consumed';
		},
		paste(pasted) {
			const {form} = forms.getState();
			if (form) insert(form, pasted);
			return 'consumed';
		},
	};
}

/** Says that text goes nowhere in a field with choices. */
export function refuseText(parts: Pick<AppParts, 'actions' | 'view'>): void {
	const {dialogs} = parts.view.getState();
	const isCurrent = () => parts.view.getState().dialogs === dialogs;
	notify(parts.actions, 'info', 'This field takes no text: ← → select', {isCurrent, endsWithNext: true});
}
