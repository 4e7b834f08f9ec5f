import type {KnownSession} from '../../domain/known.ts';
import {cwdLength} from '../../domain/limits.ts';
import type {SessionDraft} from '../../domain/session.ts';
import {settingsPatch} from '../../domain/session-settings.ts';
import type {Fleet} from '../../state/fleet.ts';
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
			hint:
				computers.length > 1
					? 'left and right choose; letters go to the next that begins so'
					: 'where it runs',
			start: computerId ?? computers[0]?.value ?? '',
			choices: computers,
		},
		{
			name: 'cwd',
			label: 'Folder',
			hint: 'working directory on the computer; may be empty',
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
		...listFields({}, 'with commas between; may be empty'),
	];
}

type Values = Readonly<Record<string, string>>;

/** What is asked of the service for a new session: a setting that was left empty is not sent. */
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

/** The fields that change a session, with what is known of it now. */
export function sessionFields(known: KnownSession | undefined): Field[] {
	const settings = known?.session?.sessionSettings;
	const isRead = known?.session !== undefined;
	const list = isRead ? 'the list is sent whole' : 'not read yet: what you write takes the place of the list';
	return [
		{
			name: 'name',
			label: 'Name here',
			hint: 'on this machine only: the service takes no new title',
			start: known?.name ?? '',
		},
		{
			name: 'model',
			label: 'Model',
			hint: "the service's own word for it",
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
			`with commas between; ${list}`,
		),
	];
}

/** Tags and tools. A tool that is both allowed and refused is told: nobody says which of the two would hold. */
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
		field('disabledToolIds', 'Tools refused', 'ids', 'enabledToolIds'),
	];
}

function clash(value: string, other: string): string | undefined {
	const others = new Set(listOf(other));
	const both = listOf(value).find(item => others.has(item));
	return both === undefined ? undefined : `${both} is both allowed and refused: keep it in one of the lists`;
}

function listItems(value: string): FieldItem[] {
	return listOf(value).map(text => ({text, problem: undefined}));
}

/** A word that can be changed and, in this contract, not be taken away. */
function keptWord(start = '', what: string): Pick<Field, 'start' | 'check'> {
	return {
		start,
		check: value =>
			start !== '' && value.trim() === ''
				? `The service can't unset the ${what}: name another, or keep ${start}`
				: undefined,
	};
}

/** The items of a list as it is typed: at commas, each once. */
export function listOf(text: string): string[] {
	return [...new Set(text.split(',').map(item => item.trim()))].filter(item => item !== '');
}
