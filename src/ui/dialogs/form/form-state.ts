import {createStore, type StoreApi} from 'zustand/vanilla';
import type {KeyPress} from '../../../keys/key-press.ts';
import type {FormRequest, ServiceForm} from '../../../state/view/dialogs.ts';
import {editorReduce} from '../../../text/editor/editor.ts';
import {createEditor, type EditorAction, type EditorState} from '../../../text/editor/editor-state.ts';
import type {Field, FormSpec} from './form-fields.ts';
import {strings} from './strings.ts';

/** State of an open form. */
export type FormState = {
	readonly request: FormRequest;
	readonly spec: FormSpec;
	readonly values: Readonly<Record<string, string>>;
	readonly focused: number;
	/** The text typed before it was closed is filled in. */
	readonly isReopened?: true;
	/** Editor of the focused field, set once a key was pressed in it. */
	readonly editing?: {readonly name: string; readonly editor: EditorState};
	/** Keys pressed on a field whose choices are still being read. */
	readonly waitingKeys?: readonly KeyPress[];
	/** Shows every field's problem, even of untouched fields: a submit was attempted. */
	readonly isTried: boolean;
	/** A request is in flight. */
	readonly isBusy: boolean;
	/** Why the last submit failed. */
	readonly problem?: string;
};

/** The open form, if any. */
export type FormStore = StoreApi<{readonly form?: FormState}> & {
	/** Aborts the request a busy form is waiting for. */
	pending?: AbortController;
	/** Resolves when the choices that are being read have arrived. */
	reading?: Promise<void>;
	/** Text typed into forms that were canceled, by `keptName`. May contain a key, so it is never stored. */
	readonly kept: Map<string, KeptForm>;
	/** The account that the forms are for; `kept` is shared with those of others. */
	readonly accountId: string;
};

type KeptForm = Pick<FormState, 'values'>;

/**
 * The name under which a canceled form is kept, for its account only; undefined if it isn't. A canceled change of what
 * exists isn't: another change of it would bring it along unseen.
 */
export function keptName(
	request: FormRequest,
	{accountId}: Pick<FormStore, 'accountId'>,
): string | undefined {
	switch (request.name) {
		case 'commit':
		case 'pull-request':
			return `${accountId} ${request.name} ${request.sessionId}`;
		case 'new-session':
			return `${accountId} ${request.name} ${request.computerId ?? ''}`;
		case 'new-computer':
			return `${accountId} ${request.name}`;
		case 'connect':
			return request.name;
		default:
			return undefined;
	}
}

/** The changed values of a form that is being closed; undefined if none was changed. */
export function keptOf(form: FormState): KeptForm | undefined {
	return keptName(form.request, {accountId: ''}) === undefined ? undefined : changesOf(form);
}

/** The values that were changed; nothing if none was. */
export function changesOf({spec, values}: Pick<FormState, 'spec' | 'values'>): KeptForm | undefined {
	const starts = startsOf(spec.fields);
	const changed = Object.entries(values).filter(([name, value]) => value !== starts[name]);
	return changed.length === 0 ? undefined : {values: Object.fromEntries(changed)};
}

function startsOf(fields: readonly Field[]): FormState['values'] {
	return Object.fromEntries(fields.map(field => [field.name, field.start]));
}

/** Whether the form is for the connected service. */
export function isForService(form: FormState): form is FormState & {readonly request: ServiceForm} {
	return !['connect', 'edit-profile', 'replace-key'].includes(form.request.name);
}

export function createFormStore(kept: FormStore['kept'] = new Map(), accountId = ''): FormStore {
	return Object.assign(
		createStore<{readonly form?: FormState}>(() => ({})),
		{kept, accountId},
	);
}

/** Creates the state of a newly opened form, with the first text field focused and any kept text filled in. */
export function openForm(request: FormRequest, spec: FormSpec, kept?: KeptForm): FormState {
	const first = spec.fields.findIndex(field => field.choices === undefined);
	const values = {...startsOf(spec.fields), ...kept?.values};
	const form: FormState = {request, spec, values, focused: Math.max(0, first), isTried: false, isBusy: false};
	if (!kept) return form;
	const fields = spec.fieldsOf?.(values) ?? spec.fields;
	return {
		...form,
		spec: {...spec, fields},
		values: {...startsOf(fields), ...values},
		isReopened: true,
	};
}

/** Sets the choices of a field once they are read, and applies the keys that waited for them. */
export function withField({waitingKeys = [], ...form}: FormState, field: Field): FormState {
	const fields = form.spec.fields.map(old => (old.name === field.name ? field : old));
	const ready: FormState = {...form, spec: {...form.spec, fields}};
	return waitingKeys.reduce((now, press) => withChoiceKey(now, field, press), ready);
}

/** Removes fields, with their values and keys; the focus stays on its field. */
export function withoutFields({waitingKeys: _, ...form}: FormState, names: readonly string[]): FormState {
	const fields = form.spec.fields.filter(({name}) => !names.includes(name));
	const focused = fields.findIndex(({name}) => name === focusedField(form)?.name);
	const values = Object.fromEntries(Object.entries(form.values).filter(([name]) => !names.includes(name)));
	return {...form, spec: {...form.spec, fields}, values, focused: Math.max(0, focused)};
}

export function focusedField({spec, focused}: Pick<FormState, 'spec' | 'focused'>): Field | undefined {
	return spec.fields[focused];
}

function withValue(form: FormState, name: string, value: string): FormState {
	const {problem: _, ...rest} = form;
	const values = {...form.values, [name]: value};
	for (const {name: other, follows} of form.spec.fields)
		if (follows && other !== name && values[other] === follows(form.values)) values[other] = follows(values);
	const fields = form.spec.fieldsOf?.(values);
	if (!fields) return {...rest, values};
	// A field that wasn't there shows no problem before anything is typed.
	const isTried = form.isTried && fields.every(({name}) => form.spec.fields.some(old => old.name === name));
	return {...rest, values, isTried, spec: {...form.spec, fields}};
}

/**
 * The editor of a field, its cursor at the end until a key moves it. Deleted text is shared, so it can be
 * pasted into another field.
 */
export function fieldEditor({values, editing}: FormState, name: string): EditorState {
	const value = values[name] ?? '';
	if (editing?.name === name && editing.editor.text === value) return editing.editor;
	return {...createEditor(value), kills: editing?.editor.kills ?? []};
}

/**
 * Whether typing replaces the text of the field, because the form filled it in and no key has moved or edited in it.
 * Never in a list, where typing adds an item, and never text that the user typed last time.
 */
export function isReplacedByTyping({values, editing, isBusy}: FormState, field: Field): boolean {
	const value = values[field.name] ?? '';
	if (field.choices || field.items) return false;
	const filledIn = [field.start, field.follows?.(values)];
	return filledIn.includes(value) && value !== '' && !isBusy && editing?.name !== field.name;
}

/** Applies an edit to the focused field; a field with choices can't be edited as text. */
export function withEdit(form: FormState, action: EditorAction): FormState {
	const field = focusedField(form);
	if (!field || field.choices) return form;
	const before = fieldEditor(form, field.name);
	const isReplaced = action.type === 'insert' && isReplacedByTyping(form, field);
	const all = {type: 'replace', start: 0, end: before.text.length} as const;
	const editor = editorReduce(before, isReplaced ? {...all, text: action.text} : action);
	const next = editor.text === before.text ? form : withValue(form, field.name, editor.text);
	return {...next, editing: {name: field.name, editor}};
}

/** Moves the focus, wrapping around, past fields that mean nothing now. */
export function withFocus(form: FormState, by: number): FormState {
	const count = form.spec.fields.length;
	const next = {...withMoved(form), focused: (form.focused + by + count) % count};
	return focusedField(next)?.unusedNow?.(next.values) === undefined
		? next
		: withFocus(next, Math.sign(by) || 1);
}

/** The values that count: without those of fields that mean nothing beside the others. */
export function usedValues({spec, values}: Pick<FormState, 'spec' | 'values'>): FormState['values'] {
	const unused = spec.fields.filter(field => field.unusedNow?.(values) !== undefined);
	return Object.fromEntries(
		Object.entries(values).filter(([name]) => !unused.some(one => one.name === name)),
	);
}

/** Moves text that was typed into the wrong field to the right one. */
export function withMoved(form: FormState): FormState {
	const {spec} = form;
	const values = spec.moved?.(form.values);
	if (!values) return form;
	return {...form, values, spec: {...spec, fields: spec.fieldsOf?.(values) ?? spec.fields}};
}

/** Selects the next choice of a field, or the previous one when `by` is -1. */
export function withChoice(form: FormState, field: Field, by: number): FormState {
	const choices = field.choices ?? [];
	const index = choices.findIndex(choice => choice.value === form.values[field.name]);
	const next = choices[(index + by + choices.length) % choices.length];
	return next ? withValue(form, field.name, next.value) : form;
}

/** A key on a field with choices: the arrows and Space cycle, letters choose. */
export function withChoiceKey(form: FormState, field: Field, press: KeyPress): FormState {
	if (field.isReading) return {...form, waitingKeys: [...(form.waitingKeys ?? []), press]};
	if (press.name === 'right' || press.name === 'space') return withChoice(form, field, 1);
	if (press.name === 'left') return withChoice(form, field, -1);
	const choice = field.choices?.find(({key}) => key === press.name);
	if (choice) return withValue(form, field.name, choice.value);
	return press.text === '' ? form : withTypedChoice(form, field, press.text);
}

/** Selects the next choice whose label starts with the typed text. */
function withTypedChoice(form: FormState, field: Field, typed: string): FormState {
	const choices = field.choices ?? [];
	const index = choices.findIndex(choice => choice.value === form.values[field.name]);
	const after = [...choices.slice(index + 1), ...choices.slice(0, index + 1)];
	const start = typed.toLowerCase();
	const next = after.find(({label}) => label.toLowerCase().startsWith(start));
	return next ? withValue(form, field.name, next.value) : form;
}

/** The field's current problem, if any. */
export function problemOf(form: FormState, field: Field): string | undefined {
	return field.check?.(form.values[field.name] ?? '', form.values);
}

/** Index of the first field with a problem; -1 when the form can be submitted. */
export function firstProblem(form: FormState): number {
	return form.spec.fields.findIndex(field => problemOf(form, field) !== undefined);
}

/** What submitting does now: if another field has a problem, it goes there. */
export function submitWord(form: FormState): string {
	const moved = withMoved(form);
	const invalid = firstProblem(moved);
	const field = invalid === form.focused ? undefined : moved.spec.fields[invalid];
	return field ? strings.form.goTo(field.label) : form.spec.submit.toLowerCase();
}
