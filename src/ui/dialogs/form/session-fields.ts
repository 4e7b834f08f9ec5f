import type {KnownSession} from '../../../domain/known.ts';
import {cwdLength} from '../../../domain/limits.ts';
import type {SessionDraft} from '../../../domain/sessions/session.ts';
import {settingsPatch} from '../../../domain/sessions/session-settings.ts';
import type {Fleet} from '../../../state/fleet.ts';
import {checkCwd} from './form-checks.ts';
import type {Field, FieldItem} from './form-fields.ts';

/** The form fields for a new session: where it runs, and its initial settings. */
export function newSession(fleet: Fleet, computerId: string | undefined): Field[] {
	const computers = [...fleet.computers.values()].map(({id, computer}) => ({
		value: id,
		label: computer?.name || id,
	}));
	return [
		{
			name: 'computerId',
			label: 'Computer',
			hint: computers.length > 1 ? '← → choose; letters jump to a match' : 'where it runs',
			start: computerId ?? computers[0]?.value ?? '',
			choices: computers,
		},
		{
			name: 'cwd',
			label: 'Folder',
			hint: 'working directory on the computer; optional',
			start: '',
			check: checkCwd,
			maxLength: cwdLength.max,
		},
		{name: 'model', label: 'Model', hint: "empty: the service's default", start: ''},
		{
			name: 'specModeModel',
			label: 'Plan model',
			hint: "plans before it acts; empty: the service's default",
			start: '',
		},
		...listFields({}, 'separated by commas; optional'),
	];
}

type Values = Readonly<Record<string, string>>;

/** Converts the form's values to a session draft; empty settings are omitted. */
export function sessionDraft(values: Values): SessionDraft {
	const settings = settingsPatch(undefined, {
		model: values.model?.trim() ?? '',
		specModeModel: values.specModeModel?.trim() ?? '',
		tags: listOf(values.tags ?? ''),
		enabledToolIds: listOf(values.enabledToolIds ?? ''),
		disabledToolIds: listOf(values.disabledToolIds ?? ''),
	});
	return {
		computerId: values.computerId ?? '',
		...(values.cwd && {cwd: values.cwd}),
		...(settings && {sessionSettings: settings}),
	};
}

/** The form fields for updating a session, filled with its known values. */
export function sessionFields(known: KnownSession | undefined): Field[] {
	const settings = known?.session?.sessionSettings;
	const isRead = known?.session !== undefined;
	const list = isRead ? 'replaces the whole list' : 'replaces the list (not read yet)';
	return [
		{
			name: 'name',
			label: 'Local name',
			hint: "on this machine only: the service can't change titles",
			start: known?.name ?? '',
		},
		{
			name: 'model',
			label: 'Model',
			hint: 'as the service names it',
			...keptWord(settings?.model, 'model'),
		},
		{
			name: 'specModeModel',
			label: 'Plan model',
			hint: 'plans before it acts',
			...keptWord(settings?.specModeModel, 'plan model'),
		},
		...listFields(
			{
				tags: (settings?.tags ?? []).map(tag => tag.name).join(', '),
				enabledToolIds: (settings?.enabledToolIds ?? []).join(', '),
				disabledToolIds: (settings?.disabledToolIds ?? []).join(', '),
			},
			`separated by commas; ${list}`,
		),
	];
}

/** Tags and tools. A tool both enabled and disabled is an error: the contract doesn't say which one wins. */
function listFields(start: Values, hint: string): Field[] {
	const field = (name: string, label: string, what: string, other?: string): Field => ({
		name,
		label,
		hint: `${what} ${hint}`,
		start: start[name] ?? '',
		items: value => listItems(value),
		...(other !== undefined && {
			check: (value, values) =>
				value === start[name] && values[other] === start[other]
					? undefined
					: clash(value, values[other] ?? ''),
		}),
	});
	return [
		field('tags', 'Tags', 'names'),
		field('enabledToolIds', 'Tools allowed', 'ids', 'disabledToolIds'),
		field('disabledToolIds', 'Tools denied', 'ids', 'enabledToolIds'),
	];
}

function clash(value: string, other: string): string | undefined {
	const others = new Set(listOf(other));
	const both = listOf(value).find(item => others.has(item));
	return both === undefined ? undefined : `${both} is both allowed and denied: remove it from one list`;
}

function listItems(value: string): FieldItem[] {
	return listOf(value).map(text => ({text, problem: undefined}));
}

/** A field that can be changed but, under the contract, not cleared. */
function keptWord(start = '', what: string): Pick<Field, 'start' | 'check'> {
	return {
		start,
		check: value =>
			start !== '' && value.trim() === ''
				? `The service can't clear the ${what}: enter another, or keep ${start}`
				: undefined,
	};
}

/** Splits a typed list at commas, without duplicates. */
export function listOf(text: string): string[] {
	return [...new Set(text.split(',').map(item => item.trim()))].filter(item => item !== '');
}
