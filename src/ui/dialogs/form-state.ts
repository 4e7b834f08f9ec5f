import {createStore, type StoreApi} from 'zustand/vanilla';
import type {FormRequest, ServiceRequest} from '../../state/dialogs.ts';
import {editorReduce} from '../../text/editor.ts';
import type {EditorAction} from '../../text/editor-action.ts';
import {createEditor, type EditorState} from '../../text/editor-state.ts';
import type {Field, FormSpec} from './form-fields.ts';

/** A form as it is filled in. */
export type FormState = {
	readonly request: FormRequest;
	readonly spec: FormSpec;
	readonly values: Readonly<Record<string, string>>;
	readonly focused: number;
	/** The focused field as it is edited, once a key was pressed in it. */
	readonly editing?: {readonly name: string; readonly editor: EditorState};
	/** Every field's problem is shown, also of those not typed in yet: it was tried to submit. */
	readonly isTried: boolean;
	/** The service is being asked. */
	readonly isBusy: boolean;
	/** Why it was refused. */
	readonly problem?: string;
};

/** The open form, if any. */
export type FormStore = StoreApi<{readonly form?: FormState}> & {
	/** Ends what a busy form is waiting for. */
	asking?: AbortController;
};

/** Is it for the service that is open? */
export function isForService(form: FormState): form is FormState & {readonly request: ServiceRequest} {
	return form.request.name !== 'connect';
}

export function createFormStore(): FormStore {
	return createStore<{readonly form?: FormState}>(() => ({}));
}

/** A form as it opens: the focus on the first text to be typed. */
export function openForm(request: FormRequest, spec: FormSpec): FormState {
	const values = Object.fromEntries(spec.fields.map(field => [field.name, field.start]));
	const first = spec.fields.findIndex(field => field.choices === undefined);
	return {request, spec, values, focused: Math.max(0, first), isTried: false, isBusy: false};
}

export function focusedField({spec, focused}: FormState): Field | undefined {
	return spec.fields[focused];
}

export function withValue(form: FormState, name: string, value: string): FormState {
	const {problem: _, ...rest} = form;
	const values = {...form.values, [name]: value};
	for (const {name: other, follows} of form.spec.fields)
		if (follows && other !== name && values[other] === follows(form.values)) values[other] = follows(values);
	const fields = form.spec.fieldsOf?.(values);
	return {...rest, values, ...(fields && {spec: {...form.spec, fields}})};
}

/** A field as it is edited: with its cursor at the end until a key moves it. What was deleted can be put into another. */
export function fieldEditor({values, editing}: FormState, name: string): EditorState {
	const value = values[name] ?? '';
	if (editing?.name === name && editing.editor.text === value) return editing.editor;
	return {...createEditor(value), kills: editing?.editor.kills ?? []};
}

/** Edits the focused field; one that is chosen from a list is not typed in. */
export function withEdit(form: FormState, action: EditorAction): FormState {
	const field = focusedField(form);
	if (!field || field.choices) return form;
	const before = fieldEditor(form, field.name);
	const editor = editorReduce(before, action);
	const next = editor.text === before.text ? form : withValue(form, field.name, editor.text);
	return {...next, editing: {name: field.name, editor}};
}

/** Moves the focus, through the ends. */
export function withFocus(form: FormState, by: number): FormState {
	const count = form.spec.fields.length;
	return {...form, focused: (form.focused + by + count) % count};
}

/** The next choice of a field (the one before when `by` is -1). */
export function withChoice(form: FormState, field: Field, by: number): FormState {
	const choices = field.choices ?? [];
	const index = choices.findIndex(choice => choice.value === form.values[field.name]);
	const next = choices[(index + by + choices.length) % choices.length];
	return next ? withValue(form, field.name, next.value) : form;
}

/** The next choice after the chosen one whose label begins with what was typed. */
export function withTypedChoice(form: FormState, field: Field, typed: string): FormState {
	const choices = field.choices ?? [];
	const index = choices.findIndex(choice => choice.value === form.values[field.name]);
	const after = [...choices.slice(index + 1), ...choices.slice(0, index + 1)];
	const start = typed.toLowerCase();
	const next = after.find(({label}) => label.toLowerCase().startsWith(start));
	return next ? withValue(form, field.name, next.value) : form;
}

/** What is wrong with a field now. */
export function problemOf(form: FormState, field: Field): string | undefined {
	return field.check?.(form.values[field.name] ?? '', form.values);
}

/** The first field with a problem; -1 when it can be submitted. */
export function firstProblem(form: FormState): number {
	return form.spec.fields.findIndex(field => problemOf(form, field) !== undefined);
}
