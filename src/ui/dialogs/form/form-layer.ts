import {notify} from '../../../actions/notify.ts';
import type {Result} from '../../../actions/result.ts';
import type {KeyLayer} from '../../../keys/layers.ts';
import {isFormOnTop} from '../../../state/view/dialogs.ts';
import type {Shown} from '../../../state/view/view.ts';
import type {EditorAction} from '../../../text/editor/editor-state.ts';
import {editorActionOf} from '../../composer/editing-bindings.ts';
import {startTypeAhead} from '../../composer/type-ahead.ts';
import {fieldText} from '../../kit/text-field.tsx';
import {type Opened, showResult} from '../../open-session.ts';
import type {AppParts} from '../../use-app.ts';
import {openNewSessionDialog} from '../new-session/new-session-state.ts';
import {connect} from './connect.ts';
import {submitExport} from './export-form.ts';
import {
	type FormState,
	firstProblem,
	focusedField,
	isForService,
	keptName,
	withChoiceKey,
	withEdit,
	withFocus,
	withMoved,
} from './form-state.ts';
import {closeForm} from './open-form-dialog.ts';
import {strings} from './strings.ts';
import {submitForm} from './submit-form.ts';

const text = strings.form;

/** Keys of the open form: first its own, then those that edit the focused field, then text. */
export function formLayer(parts: AppParts): KeyLayer {
	const {forms} = parts;
	const change = (next: (form: FormState) => FormState) =>
		forms.setState(({form}) => (form ? {form: next(form)} : {}));
	const edit = (action: EditorAction) => change(form => withEdit(form, action));
	const insert = (form: FormState, typed: string) => {
		const next = form.spec.fields[form.focused + 1];
		const isChoice = focusedField(form)?.choices !== undefined;
		if (isChoice && next?.isSecret) change(now => withFocus(now, 1));
		if (isChoice && !next?.isSecret) refuseText(parts);
		else edit({type: 'insert', text: fieldText(typed)});
	};
	return {
		name: 'form',
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
				if (press.text === '' || forms.getState().form !== form) return 'consumed';
				// A path that is typed at the source of the key goes to the key. A letter may mean a choice.
				if (/^\p{L}/u.test(press.text)) refuseText(parts);
				else insert(form, press.text);
			} else if (editing) edit(editing);
			else if (press.text !== '') insert(form, press.text);
			return 'consumed';
		},
		paste(pasted) {
			const {form} = forms.getState();
			if (!form) return 'consumed';
			// A key that is pasted at its source goes to its own field.
			insert(form, pasted);
			// Move the text to the field that it belongs in, so that the user sees that before submitting.
			change(now => (now.isBusy ? now : withMoved(now)));
			return 'consumed';
		},
	};
}

/** Says that text goes nowhere in a field with choices. */
export function refuseText(parts: Pick<AppParts, 'actions' | 'view'>): void {
	const {dialogs} = parts.view.getState();
	const isCurrent = () => parts.view.getState().dialogs === dialogs;
	notify(parts.actions, 'info', text.noText, {isCurrent, endsWithNext: true});
}

export async function submit(parts: AppParts): Promise<void> {
	const {forms} = parts;
	const {form: submitted} = forms.getState();
	if (submitted?.waitingKeys) await forms.reading;
	const {form: typed} = forms.getState();
	// Another form may have been opened since.
	if (!typed || typed.isBusy || typed.request !== submitted?.request) return;
	const form = withMoved(typed);
	forms.setState({form});
	const invalid = firstProblem(form);
	if (invalid >= 0) {
		// A field that the user hasn't reached yet shows no problem.
		forms.setState({form: {...form, focused: invalid, isTried: form.isTried || form.focused === invalid}});
		return;
	}
	if (!isForService(form)) {
		await connect(parts, form);
		return;
	}
	forms.setState({form: {...form, isBusy: true}});
	const {request} = form;
	const submitting = submitForm(parts, form).then(result => finish(parts, form, result));
	if (request.name === 'new-session' || (request.name === 'new-computer' && request.isForSession)) {
		const why = text.typeAhead(parts.keys.label('cancel'));
		startTypeAhead(parts, submitting, {why, back: 'cancel'});
	}
	await submitting;
}

/** Runs when the user confirms the replacement: exports for the form below the question. */
export async function replaceFile(parts: AppParts): Promise<void> {
	const {form} = parts.forms.getState();
	if (form?.request.name !== 'export') return;
	parts.forms.setState({form: {...form, isBusy: true}});
	finish(parts, form, await submitExport(parts, form.request, form.values, true));
}

/**
 * Closes a submitted form and shows its result, or shows the problem. Returns whether the user now writes to a
 * session.
 */
function finish(parts: AppParts, {request, values}: FormState, result: Result<Shown | undefined>): Opened {
	const {forms} = parts;
	const {form: latest} = forms.getState();
	const isOpen = latest?.request === request;
	if (!result.isDone) {
		const problem = [result.what, result.hint].filter(Boolean).join(' ');
		if (isOpen) forms.setState({form: {...latest, isBusy: false, isTried: true, problem}});
		return {isOpen: false};
	}
	// Once the form is closed or a question covers it, keys no longer belong to it.
	const hasMovedOn = !isFormOnTop(parts.view.getState(), request);
	if (isOpen) {
		closeForm(parts);
		const typedSince = Object.entries(latest.values).some(([name, value]) => values[name] !== value);
		if (typedSince) notify(parts.actions, 'info', text.typedSince);
	}
	forms.kept.delete(keptName(request, forms) ?? '');
	if (hasMovedOn) return {isOpen: false};
	// Editing or renaming a session doesn't navigate to it.
	if (!result.value || request.name === 'edit-session' || request.name === 'rename-session')
		return {isOpen: false};
	showResult(parts, result.value, request.name === 'new-session');
	if (request.name === 'new-session') return {isOpen: true, sessionId: result.value.id};
	const isForSession = request.name === 'new-computer' && request.isForSession === true;
	if (isForSession) openNewSessionDialog(parts, result.value.id);
	return {isOpen: isForSession};
}
