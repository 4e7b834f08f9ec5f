import type {KnownSession} from '../../../domain/known.ts';
import {cwdLength} from '../../../domain/limits.ts';
import {permissionModes, type SessionDraft} from '../../../domain/sessions/session.ts';
import {settingsPatch} from '../../../domain/sessions/session-settings.ts';
import type {Fleet} from '../../../state/fleet.ts';
import {computerName} from '../../../state/sessions/session-items.ts';
import {lastFolder} from '../../open-session.ts';
import type {OpenProfile} from '../../use-app.ts';
import {checkCwd} from './form-checks.ts';
import type {Field, FormSpec} from './form-fields.ts';
import {strings} from './strings.ts';

const text = strings.session;

/** The form fields for a new session: where it runs, and its initial settings. */
export function newSession(fleet: Fleet, computerId: string | undefined): Field[] {
	const computers = [...fleet.computers.keys()].map(id => ({
		value: id,
		label: computerName(fleet.computers, id),
	}));
	const start = computerId ?? computers[0]?.value ?? '';
	const folderOf = ({computerId = ''}: Values) => lastFolder(fleet, computerId) ?? '';
	return [
		{
			name: 'computerId',
			...text.computer,
			...(computers.length > 1 && {hint: text.chooseComputer}),
			start,
			choices: computers,
		},
		{
			name: 'cwd',
			...text.folder,
			start: folderOf({computerId: start}),
			follows: folderOf,
			check: checkCwd,
			maxLength: cwdLength.max,
		},
		{name: 'model', ...text.newModel, start: ''},
		{name: 'specModeModel', ...text.newPlanModel, start: ''},
		...listFields({}, text.newList),
	];
}

/** The fields that a service with agents adds to the form of a new session; without `agents` until they are read. */
export function agentFields(
	agents: readonly string[] | undefined,
	{agent: configured, worktree}: Pick<OpenProfile, 'agent' | 'worktree'>,
): Field[] {
	return [
		{
			name: 'agent',
			...text.newAgent,
			isReading: agents === undefined,
			start: '',
			choices: [
				{value: '', label: text.configuredAgent},
				...(agents ?? []).map(agent => ({value: agent, label: agent})),
			],
		},
		{
			name: 'mode',
			...text.newMode,
			start: 'ask',
			choices: permissionModes.map(mode => ({value: mode, label: text.modes[mode]})),
			unusedNow: ({agent}) => ((agent || configured) === 'shell' ? text.noMode : undefined),
		},
		{
			name: 'worktree',
			...text.worktree,
			start: worktree ? 'own' : 'none',
			choices: [
				{value: 'none', label: text.worktrees.none, key: 'f'},
				{value: 'own', label: text.worktrees.own, key: 'w'},
			],
		},
	];
}

type Values = Readonly<Record<string, string>>;

/** Converts the form's values to a session draft; empty settings are omitted. */
export function sessionDraft(values: Values): SessionDraft {
	const settings = settingsPatch(
		undefined,
		typedSettings(values, name => listOf(values[name] ?? '')),
	);
	const mode = permissionModes.find(one => one === values.mode);
	return {
		computerId: values.computerId ?? '',
		...(values.cwd && {cwd: values.cwd}),
		...(values.agent && {agent: values.agent}),
		...(mode && {mode}),
		...(values.worktree && {worktree: values.worktree === 'own'}),
		...(settings && {sessionSettings: settings}),
	};
}

export type ListName = 'tags' | 'enabledToolIds' | 'disabledToolIds';

/** The settings that the form's values give a session. */
export function typedSettings(values: Values, itemsOf: (name: ListName) => readonly string[]) {
	return {
		model: values.model?.trim() ?? '',
		specModeModel: values.specModeModel?.trim() ?? '',
		tags: itemsOf('tags'),
		enabledToolIds: itemsOf('enabledToolIds'),
		disabledToolIds: itemsOf('disabledToolIds'),
	};
}

/** The form fields for updating a session, filled with its known values. */
export function sessionFields(known: KnownSession | undefined): Field[] {
	const settings = known?.session?.sessionSettings;
	return [
		{name: 'name', ...text.localName, start: known?.name ?? ''},
		{name: 'model', ...text.model, ...notCleared(settings?.model, text.modelName)},
		{name: 'specModeModel', ...text.planModel, ...notCleared(settings?.specModeModel, text.planModelName)},
		...listFields(
			{
				tags: (settings?.tags ?? []).map(tag => tag.name).join(', '),
				enabledToolIds: (settings?.enabledToolIds ?? []).join(', '),
				disabledToolIds: (settings?.disabledToolIds ?? []).join(', '),
			},
			known?.session ? text.knownList : text.unreadList,
		),
	];
}

/** The form that adds and removes tags of several sessions. The tags that they have now are offered as a hint. */
export function tagForm(sessionIds: readonly string[], fleet: Fleet): FormSpec {
	const tags = sessionIds.flatMap(id => fleet.sessions.get(id)?.session?.sessionSettings?.tags ?? []);
	const names = [...new Set(tags.map(({name}) => name))];
	const listed = (value: string) => listOf(value).map(item => ({text: item, problem: undefined}));
	const form = strings.tags;
	return {
		...form.form(sessionIds.length),
		fields: [
			{
				name: 'add',
				...form.add,
				start: '',
				items: listed,
				check: (add, {remove = ''}) => {
					if (listOf(add).length === 0 && listOf(remove).length === 0) return form.nothing;
					const both = listOf(add).find(name => listOf(remove).includes(name));
					return both === undefined ? undefined : form.both(both);
				},
			},
			{name: 'remove', ...form.remove(names.slice(0, maxHintTags)), start: '', items: listed},
		],
	};
}

const maxHintTags = 8;

/** Tags and tools. A tool both enabled and disabled is an error: the contract doesn't say which one wins. */
function listFields(start: Values, hintOf: (what: string) => string): Field[] {
	const field = (name: string, [label, what]: readonly [string, string], other?: string): Field => ({
		name,
		label,
		hint: hintOf(what),
		start: start[name] ?? '',
		items: value => listOf(value).map(item => ({text: item, problem: undefined})),
		...(other !== undefined && {
			check: (value, values) =>
				value === start[name] && values[other] === start[other]
					? undefined
					: problemOfBoth(value, values[other] ?? ''),
		}),
	});
	return [
		field('tags', text.tags),
		field('enabledToolIds', text.allowed, 'disabledToolIds'),
		field('disabledToolIds', text.denied, 'enabledToolIds'),
	];
}

function problemOfBoth(value: string, other: string): string | undefined {
	const others = new Set(listOf(other));
	const both = listOf(value).find(item => others.has(item));
	return both === undefined ? undefined : strings.check.bothLists(both);
}

/** A field that can be changed but, under the contract, not cleared. */
function notCleared(start = '', what: string): Pick<Field, 'start' | 'check'> {
	return {
		start,
		check: value =>
			start !== '' && value.trim() === '' ? strings.check.cannotClear(what, start) : undefined,
	};
}

/** Splits a typed list at commas, without duplicates. */
export function listOf(typed: string): string[] {
	return [...new Set(typed.split(',').map(item => item.trim()))].filter(item => item !== '');
}
