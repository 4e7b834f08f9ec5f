import type {Result} from '../../../actions/result.ts';
import {withScheme} from '../../../domain/accounts/address.ts';
import {askToConfirm} from '../../../state/view/view.ts';
import {withoutRequest} from '../../banner-lines.ts';
import type {Parts} from '../../use-app.ts';
import {profileDraft} from './connect-fields.ts';
import {type FormState, keptName} from './form-state.ts';
import {closeForm} from './open-form-dialog.ts';
import {strings} from './strings.ts';

type ConnectParts = Parts<'forms' | 'program' | 'view'>;

const {exists, unreachable} = strings.connect;

/**
 * Connects a profile: a new one, a changed one, or one with a new key. If that opens it, the whole screen is replaced,
 * this form included. Asks before it changes a profile that the form isn't for.
 */
export async function connect(parts: ConnectParts, form: FormState): Promise<void> {
	const {request, values} = form;
	const {profiles} = parts.program;
	parts.forms.setState({form: {...form, isBusy: true}});
	if (request.name === 'replace-key')
		return finish(parts, form, signal => profiles.replaceKey(request.profile, values.typed ?? '', signal));
	if (request.name === 'edit-profile') {
		const draft = {...profileDraft(values), replaces: request.draft.name};
		return finish(parts, form, signal => profiles.change(draft, signal), unreachable);
	}
	const draft = profileDraft(values);
	const listed = await profiles.list();
	const {form: latest} = parts.forms.getState();
	if (latest?.request !== request) return;
	const entries = listed.isDone ? listed.value : [];
	const other = entries.find(({name}) => name === draft.name.trim());
	if (!other?.address) return finish(parts, form, signal => profiles.connect(draft, signal));
	const {name, baseUrl} = profileDraft(latest.values);
	// The question is for the name that was submitted.
	if (name.trim() !== other.name) {
		parts.forms.setState({form: {...latest, isBusy: false}});
		return;
	}
	const focused = latest.spec.fields.findIndex(field => field.name === 'name');
	parts.forms.setState({form: {...latest, isBusy: false, focused, problem: exists.problem(other.name)}});
	askToConfirm(parts.view, {
		title: exists.title(other.name),
		text: exists.question(other.address, withScheme(baseUrl).replace(/\/$/, '')),
		yes: () => void changeProfile(parts),
		isUnexpected: true,
	});
}

/** Runs when the user confirms that the profile with the name in the form is to be changed. */
async function changeProfile(parts: ConnectParts): Promise<void> {
	const {form} = parts.forms.getState();
	if (form?.request.name !== 'connect') return;
	const draft = profileDraft(form.values);
	const {problem: _, ...rest} = form;
	parts.forms.setState({form: {...rest, isBusy: true}});
	await finish(parts, form, signal =>
		parts.program.profiles.connect({...draft, replaces: draft.name.trim()}, signal),
	);
}

/** Runs when the user confirms that the profile in the form is to be saved although nothing answers. */
async function saveUnchecked(parts: ConnectParts): Promise<void> {
	const {form} = parts.forms.getState();
	if (form?.request.name !== 'edit-profile') return;
	const draft = {...profileDraft(form.values), replaces: form.request.draft.name};
	parts.forms.setState({form: {...form, isBusy: true}});
	await finish(parts, form, signal => parts.program.profiles.change(draft, signal, true));
}

/**
 * Closes the form once `run` is done, or shows in it why not, at the field at fault. If nothing answers there, asks the
 * `question`, if any.
 */
async function finish(
	parts: ConnectParts,
	{request, values: submitted}: FormState,
	run: (signal: AbortSignal) => Promise<Result<undefined>>,
	question?: {readonly title: string; readonly text: (problem: string) => string},
): Promise<void> {
	const {forms} = parts;
	const pending = new AbortController();
	forms.pending = pending;
	const result = await run(pending.signal);
	const {form: latest} = forms.getState();
	const isOpen = latest?.request === request;
	if (result.isDone) {
		if (isOpen) closeForm(parts);
		forms.kept.delete(keptName(request, forms) ?? '');
		return;
	}
	if (!isOpen) return;
	const problem = [withoutRequest(result.what), result.hint].filter(Boolean).join(' ');
	// Focus the field at fault; a key from the environment has none of its own.
	const {values, spec} = latest;
	const names = result.field === 'key' ? [values.keyFrom ?? 'typed', 'keyFrom'] : [result.field];
	const faulty = names
		.map(name => spec.fields.findIndex(field => field.name === name))
		.find(index => index >= 0);
	const {editing: _, ...rest} = latest;
	const field = faulty === undefined ? undefined : spec.fields[faulty];
	// Users can't correct a secret that they don't see: empty its field, unless they have typed another one since.
	const isSame = field?.isSecret && values[field.name] === submitted[field.name];
	const change = isSame ? {...rest, values: {...values, [field.name]: ''}} : latest;
	forms.setState({
		// The emptied field shows no problem yet.
		form: {...change, focused: faulty ?? latest.focused, isBusy: false, isTried: !field?.isSecret, problem},
	});
	if (result.isUnreachable && question)
		askToConfirm(parts.view, {
			title: question.title,
			text: question.text(withoutRequest(result.what)),
			yes: () => void saveUnchecked(parts),
			isUnexpected: true,
		});
}
