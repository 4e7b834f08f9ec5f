import {type BindingOf, bindingsIn, bindingsOf, type Now} from '../../keys/binding.ts';
import {cancel} from '../dialog-bindings.ts';
import {changesOf, fieldsOf, submitWord, withFocus} from './form-state.ts';
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
