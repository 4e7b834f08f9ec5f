import {createStore, type StoreApi} from 'zustand/vanilla';
import type {KeyPress} from '../../../keys/key-press.ts';
import {editorReduce} from '../../../text/editor/editor.ts';
import {createEditor, type EditorAction, type EditorState} from '../../../text/editor/editor-state.ts';
import type {AppParts} from '../../use-app.ts';
import type {Field, Form, Values} from './form.ts';

/** Makes a form from what is known in an app. */
export type CreateForm = (parts: AppParts) => Form;

export type FormState = {
	readonly spec: Form;
	readonly values: Values;
	readonly focused: number;
	/** The text typed before it was closed is filled in. */
	readonly isReopened?: true;
	/** Editor of the focused field, set once a key was pressed in it. */
	readonly editing?: {readonly name: string; readonly editor: EditorState};
	/** Shows every field's problem, even of untouched fields: a submit was attempted. */
	readonly isTried: boolean;
	readonly isBusy: boolean;
	/** Why the last submit failed. */
	readonly problem?: string;
};

export type FormStore = StoreApi<{readonly form?: FormState}> & {
	/** Aborts the request a busy form is waiting for. */
	pending?: AbortController;
	/** Text typed into forms that were canceled, by `keptName`. May contain a key, so it is never stored. */
	readonly kept: Map<string, Values>;
	/** The account that the forms are for; `kept` is shared with those of others. */
	readonly accountId: string;
};

export function createFormStore(kept: FormStore['kept'] = new Map(), accountId = ''): FormStore {
	return Object.assign(
		createStore<{readonly form?: FormState}>(() => ({})),
		{kept, accountId},
	);
}

/** The name under which the text of a canceled form is kept, for its account only; undefined if it isn't. */
export function keptName({keptAs}: Form, {accountId}: FormStore): string | undefined {
	return keptAs && `${accountId} ${keptAs}`;
}

/** The values that were changed; undefined if none was. */
export function changesOf(form: FormState): Values | undefined {
	const starts = startsOf(fieldsOf(form));
	const changed = Object.entries(form.values).filter(([name, value]) => value !== starts[name]);
	return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

function startsOf(fields: readonly Field[]): Values {
	return Object.fromEntries(fields.map(field => [field.name, field.start]));
}

/** The state of a newly opened form, with its first field focused and any kept text filled in. */
export function startForm(create: CreateForm, parts: AppParts): FormState {
	const spec = create(parts);
	const kept = parts.forms.kept.get(keptName(spec, parts.forms) ?? '');
	const start = spec.fields({});
	const values = {...startsOf(start), ...kept};
	const focused = Math.max(
		0,
		start.findIndex(({name}) => name === spec.startsAt),
	);
	const form: FormState = {spec, values, focused, isTried: false, isBusy: false};
	return kept ? {...form, values: {...startsOf(spec.fields(values)), ...values}, isReopened: true} : form;
}

export function fieldsOf({spec, values}: FormState): readonly Field[] {
	return spec.fields(values);
}

export function focusedField(form: FormState): Field | undefined {
	return fieldsOf(form)[form.focused];
}

function withValue(form: FormState, name: string, value: string): FormState {
	const {problem: _, ...rest} = form;
	const fields = fieldsOf(form);
	const values = {...form.values, [name]: value};
	for (const {name: other, follows} of fields)
		if (follows && other !== name && values[other] === follows(form.values)) values[other] = follows(values);
	const added = form.spec.fields(values).filter(({name}) => !fields.some(old => old.name === name));
	// A field that wasn't there shows no problem before anything is typed.
	return {...rest, values: {...startsOf(added), ...values}, isTried: form.isTried && added.length === 0};
}

/** The editor of a field, its cursor at the end until a key moves it. */
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
	if (field.choices || field.isList) return false;
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

/** Moves the focus, wrapping around. */
export function withFocus(form: FormState, by: number): FormState {
	const count = fieldsOf(form).length;
	return {...form, focused: (form.focused + by + count) % count};
}

/** To the next or previous value, or to the next whose name starts with these letters. */
export type Step = 1 | -1 | string;

export function nextOf<Value>(
	values: readonly Value[],
	at: number,
	step: Step,
	nameOf: (value: Value) => string,
): Value | undefined {
	if (typeof step === 'number') return values[(at + step + values.length) % values.length];
	const after = [...values.slice(at + 1), ...values.slice(0, at + 1)];
	return after.find(value => nameOf(value).toLowerCase().startsWith(step.toLowerCase()));
}

/** Selects another choice of a field. */
export function withChoice(form: FormState, field: Field, step: Step): FormState {
	const choices = field.choices ?? [];
	const at = choices.findIndex(choice => choice.value === form.values[field.name]);
	const next = nextOf(choices, at, step, ({label}) => label);
	return next ? withValue(form, field.name, next.value) : form;
}

/** A key on a field with choices: the arrows and Space cycle, letters choose. */
export function withChoiceKey(form: FormState, field: Field, press: KeyPress): FormState {
	if (press.name === 'right' || press.name === 'space') return withChoice(form, field, 1);
	if (press.name === 'left') return withChoice(form, field, -1);
	return press.text === '' ? form : withChoice(form, field, press.text);
}

export function problemOf(form: FormState, field: Field): string | undefined {
	return field.check?.(form.values[field.name] ?? '', form.values);
}

/** Index of the first field with a problem; -1 when the form can be submitted. */
export function firstProblem(form: FormState): number {
	return fieldsOf(form).findIndex(field => problemOf(form, field) !== undefined);
}

/** What submitting does now: if another field has a problem, it goes there. */
export function submitWord(form: FormState): string {
	const invalid = firstProblem(form);
	const field = invalid === form.focused ? undefined : fieldsOf(form)[invalid];
	return field ? `go to ${field.label}` : form.spec.submit.toLowerCase();
}
