import {notify} from '../../../actions/notify.ts';
import {askToConfirm} from '../../../state/view/view.ts';
import type {AppParts} from '../../use-app.ts';
import type {FormResult, Values} from './form.ts';
import {type FormState, fieldsOf, firstProblem, keptName} from './form-state.ts';
import {closeForm} from './open-form.ts';

/** Submits the open form, or goes to the field that prevents it. */
export async function submit(parts: AppParts): Promise<void> {
	const {forms} = parts;
	const {form} = forms.getState();
	if (!form || form.isBusy) return;
	const invalid = firstProblem(form);
	if (invalid >= 0) {
		// A field that the user hasn't reached yet shows no problem.
		forms.setState({form: {...form, focused: invalid, isTried: form.isTried || form.focused === invalid}});
		return;
	}
	const {values, spec} = form;
	await run(parts, form, values, signal => spec.run(values, signal));
}

/** Runs what the form is for, with the `submitted` values. Closes it and shows its result, or shows the problem. */
async function run(
	parts: AppParts,
	{problem: _, ...form}: FormState,
	submitted: Values,
	start: (signal: AbortSignal) => Promise<FormResult>,
): Promise<void> {
	const {forms, view} = parts;
	const pending = new AbortController();
	forms.pending = pending;
	forms.setState({form: {...form, isBusy: true}});
	const result = await start(pending.signal);
	const {form: latest} = forms.getState();
	const isOpen = latest?.spec === form.spec;
	// Once the form is closed or a question covers it, keys no longer belong to it.
	const isOnTop = isOpen && view.getState().dialogs.at(-1)?.kind === 'form';
	if (!result.isDone) {
		if (isOpen) showProblem(parts, latest, submitted, result);
		if (isOnTop && 'question' in result) {
			const {title, text, yes} = result.question;
			const goOn = () => {
				const {form: now} = forms.getState();
				if (now?.spec === form.spec) void run(parts, now, submitted, yes);
			};
			askToConfirm(view, {title, text, yes: goOn, isUnexpected: true});
		}
		return;
	}
	if (isOpen) {
		closeForm(parts);
		const typedSince = Object.entries(latest.values).some(([name, value]) => submitted[name] !== value);
		if (typedSince) notify(parts.actions, 'info', 'Text typed while the form was waiting was not sent');
	}
	forms.kept.delete(keptName(form.spec, forms) ?? '');
	if (isOnTop) result.value?.();
}

/** Shows why a form wasn't done, and goes to the field at fault. */
function showProblem(
	{forms}: AppParts,
	form: FormState,
	submitted: Values,
	{what, hint, field: name}: Extract<FormResult, {readonly isDone: false}>,
): void {
	const fields = fieldsOf(form);
	const faulty = fields.findIndex(field => field.name === name);
	const field = fields[faulty];
	const {editing: _, ...rest} = form;
	// Users can't correct a secret that they don't see: empty its field, unless they have typed another one since.
	const isSame = field?.isSecret && form.values[field.name] === submitted[field.name];
	const change = isSame ? {...rest, values: {...form.values, [field.name]: ''}} : form;
	forms.setState({
		form: {
			...change,
			focused: faulty < 0 ? form.focused : faulty,
			isBusy: false,
			// The emptied field shows no problem yet.
			isTried: !field?.isSecret,
			problem: [what, hint].filter(Boolean).join(' '),
		},
	});
}
