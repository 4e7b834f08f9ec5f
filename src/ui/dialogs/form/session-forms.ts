import {done, type Result} from '../../../actions/notify.ts';
import {nameSession, updateSession} from '../../../actions/sessions.ts';
import {failureText, tagSessions} from '../../../actions/several-sessions.ts';
import {type KnownSession, titleOf} from '../../../domain/known.ts';
import {modeTitle, permissionModes, type SessionDraft} from '../../../domain/sessions/session.ts';
import {settingsPatch} from '../../../domain/sessions/session-settings.ts';
import {unmarked} from '../../../state/sessions/marked-sessions.ts';
import {setView} from '../../../state/view/view.ts';
import {offerUndo} from '../../offer-undo.ts';
import type {AppParts, OpenProfile} from '../../use-app.ts';
import {listsNow} from '../../use-lists.ts';
import type {Field, Form, Values} from './form.ts';
import {cannotClear} from './form-checks.ts';

const ownWorktree = 'its own worktree';
const localName = {
	label: 'Local name',
	hint: "only this machine shows it; the session's title stays as it is",
};

/** Settings of the new session whose dialog is below; `starts` are those chosen before. */
export const newSettingsForm =
	({
		starts = {},
		hasMode,
		use,
	}: {
		readonly starts: Values | undefined;
		/** The shell runs what it is told: it has no mode. */
		readonly hasMode: boolean;
		readonly use: (values: Values) => void;
	}) =>
	({profile}: AppParts): Form => {
		// Only the embedded service has agents.
		const agentFields =
			profile.host === undefined ? [...(hasMode ? [modeField] : []), worktreeField(profile)] : [];
		const fields = [...agentFields, ...settingFields()].map(field => ({
			...field,
			start: starts[field.name] ?? field.start,
		}));
		return {
			title: 'Settings of the new session',
			submit: 'Use',
			fields: () => fields,
			async run(values) {
				use(values);
				return done(undefined);
			},
		};
	};

const modeField: Field = {
	name: 'mode',
	label: 'Mode',
	hint: 'ask: asks first; accept edits: changes files unasked; plan: only plans',
	start: 'ask',
	choices: permissionModes.map(mode => ({value: mode, label: modeTitle(mode)})),
};

const worktreeField = (profile: OpenProfile): Field => ({
	name: 'worktree',
	label: 'Work in',
	hint: 'a worktree: a separate folder and git branch; 2 or 3 agents: the same message, a worktree each',
	start: profile.worktree ? 'own' : 'none',
	choices: [
		{value: 'none', label: 'folder'},
		{value: 'own', label: 'worktree'},
		{value: '2', label: '2 agents'},
		{value: '3', label: '3 agents'},
	],
});

/** What the form's values ask of a new session; empty settings are omitted. */
export function settingsDraft(values: Values, isShell: boolean): Partial<SessionDraft> {
	const settings = settingsPatch(undefined, typedSettings(values));
	const mode = permissionModes.find(one => one === values.mode && !isShell);
	return {
		mode,
		worktree: values.worktree ? values.worktree !== 'none' : undefined,
		sessionSettings: settings,
	};
}

/** Those values in a few words, such as `plan · its own worktree · opus · #urgent`. */
export function settingsWords(values: Values, isShell: boolean): string {
	const {mode, worktree, sessionSettings: settings = {}} = settingsDraft(values, isShell);
	const tools = [...(settings.enabledToolIds ?? []), ...(settings.disabledToolIds ?? [])].length;
	return [
		mode && modeTitle(mode),
		worktree &&
			(values.worktree === 'own' ? ownWorktree : `${values.worktree} agents, each in ${ownWorktree}`),
		settings.model,
		settings.specModeModel && `plans with ${settings.specModeModel}`,
		settings.tags?.map(({name}) => `#${name}`).join(' '),
		tools > 0 && (tools === 1 ? '1 tool' : `${tools} tools`),
	]
		.filter(Boolean)
		.join(' · ');
}

/** Changes the local name at once; calls the service only for settings that changed. */
export const editSessionForm =
	(sessionId: string) =>
	(parts: AppParts): Form => {
		const {actions, stores} = parts;
		const fields = editFields(stores.fleet.getState().sessions.get(sessionId));
		return {
			title: 'Edit session',
			submit: 'Save',
			fields: () => fields,
			async run(values) {
				const known = stores.fleet.getState().sessions.get(sessionId);
				const name = values.name?.trim() ?? '';
				if (name !== (known?.name ?? '')) rename(parts, sessionId, name);
				const settings = known?.session?.sessionSettings;
				const before = {...settings, tags: settings?.tags?.map(({name}) => name)};
				/** An unedited list keeps its items, even those that contain a comma. */
				const itemsOf = (name: ListName) =>
					values[name] === fields.find(field => field.name === name)?.start
						? [...(before[name] ?? [])]
						: listOf(values[name] ?? '');
				const patch = settingsPatch(settings, typedSettings(values, itemsOf));
				const updated = patch ? await updateSession(actions, sessionId, patch) : undefined;
				return updated?.isDone === false ? updated : done(undefined);
			},
		};
	};

/** Changes the local name alone. */
export const renameSessionForm =
	(sessionId: string) =>
	(parts: AppParts): Form => {
		const known = parts.stores.fleet.getState().sessions.get(sessionId);
		const start = known?.name ?? (known && titleOf(known)) ?? '';
		return {
			title: 'Rename session',
			submit: 'Rename',
			fields: () => [{name: 'name', ...localName, start}],
			async run({name = ''}) {
				rename(parts, sessionId, name);
				return done(undefined);
			},
		};
	};

function rename(parts: AppParts, id: string, name: string): void {
	offerUndo(
		parts,
		{action: 'rename', subjects: [{kind: 'session', id}]},
		nameSession(parts.actions, id, name),
	);
}

type ListName = 'tags' | 'enabledToolIds' | 'disabledToolIds';

/** The settings that the form's values give a session. */
function typedSettings(values: Values, itemsOf = (name: ListName) => listOf(values[name] ?? '')) {
	return {
		model: values.model?.trim() ?? '',
		specModeModel: values.specModeModel?.trim() ?? '',
		tags: itemsOf('tags'),
		enabledToolIds: itemsOf('enabledToolIds'),
		disabledToolIds: itemsOf('disabledToolIds'),
	};
}

function settingFields(): Field[] {
	return [
		{name: 'model', label: 'Model', hint: "empty: the service's default", start: ''},
		{
			name: 'specModeModel',
			label: 'Plan model',
			hint: "model for planning; empty: the service's default",
			start: '',
		},
		...listFields({}, '; optional'),
	];
}

function editFields(known: KnownSession | undefined): Field[] {
	const settings = known?.session?.sessionSettings;
	return [
		{name: 'name', ...localName, start: known?.name ?? ''},
		{name: 'model', label: 'Model', hint: 'as the service names it', ...notCleared(settings?.model, 'model')},
		{
			name: 'specModeModel',
			label: 'Plan model',
			hint: 'model for planning',
			...notCleared(settings?.specModeModel, 'plan model'),
		},
		...listFields(
			{
				tags: (settings?.tags ?? []).map(tag => tag.name).join(', '),
				enabledToolIds: (settings?.enabledToolIds ?? []).join(', '),
				disabledToolIds: (settings?.disabledToolIds ?? []).join(', '),
			},
			known?.session ? ': the whole list' : '; replaces the list (not read yet)',
		),
	];
}

/** Adds and removes tags of several sessions. Those that they have now are offered as a hint. */
export const tagForm =
	(sessionIds: readonly string[], leftOut: readonly string[] = []) =>
	(parts: AppParts): Form => {
		const {sessions} = parts.stores.fleet.getState();
		const tags = sessionIds.flatMap(id => sessions.get(id)?.session?.sessionSettings?.tags ?? []);
		const names = [...new Set(tags.map(({name}) => name))].slice(0, maxHintTags);
		return {
			title: sessionIds.length === 1 ? 'Tag the session' : `Tag ${sessionIds.length} sessions`,
			submit: 'Tag',
			fields: () => [
				{
					name: 'add',
					label: 'Add',
					hint: 'names separated by commas; other tags stay',
					start: '',
					isList: true,
					check(add, {remove = ''}) {
						if (listOf(add).length === 0 && listOf(remove).length === 0)
							return 'Name a tag to add or to remove';
						const name = listOf(add).find(name => listOf(remove).includes(name));
						return name === undefined ? undefined : `${name} is in both lists: remove it from one`;
					},
				},
				{
					name: 'remove',
					label: 'Remove',
					hint: names.length > 0 ? `now: ${names.join(', ')}` : 'names separated by commas',
					start: '',
					isList: true,
				},
			],
			run: values => changeTags(parts, sessionIds, values, leftOut),
		};
	};

const maxHintTags = 8;

/** Changes tags. Sessions where that fails stay marked; if it fails for all, the form stays open. */
async function changeTags(
	parts: AppParts,
	ids: readonly string[],
	{add = '', remove = ''}: Values,
	leftOut: readonly string[],
): Promise<Result<undefined>> {
	const {sessionsById} = listsNow(parts).all;
	const targets = ids.flatMap(id => sessionsById.get(id) ?? []);
	const change = {add: listOf(add), remove: listOf(remove)};
	const {done: tagged, failed, changed, undo} = await tagSessions(parts.actions, targets, change, leftOut);
	const words = [...change.add.map(tag => `+${tag}`), ...change.remove.map(tag => `-${tag}`)].join(' ');
	const subjects = changed.map(id => ({kind: 'session', id}) as const);
	offerUndo(parts, {action: 'tag', subjects, change: words}, undo);
	if (tagged.length === 0 && failed.length > 0) return {isDone: false, what: failureText(failed)};
	setView(parts.view, view => unmarked(view, tagged));
	return done(undefined);
}

/** Tags and tools. A tool both enabled and disabled is an error: the contract doesn't say which one wins. */
function listFields(start: Values, effect: string): Field[] {
	const field = (name: string, label: string, what: string, other?: string): Field => ({
		name,
		label,
		hint: `${what} separated by commas${effect}`,
		start: start[name] ?? '',
		isList: true,
		check: (value, values) =>
			other === undefined || (value === start[name] && values[other] === start[other])
				? undefined
				: problemOfBoth(value, values[other] ?? ''),
	});
	return [
		field('tags', 'Tags', 'names'),
		field('enabledToolIds', 'Tools allowed', 'ids', 'disabledToolIds'),
		field('disabledToolIds', 'Tools denied', 'ids', 'enabledToolIds'),
	];
}

function problemOfBoth(value: string, other: string): string | undefined {
	const others = new Set(listOf(other));
	const both = listOf(value).find(item => others.has(item));
	return both === undefined ? undefined : `${both} is both allowed and denied: remove it from one list`;
}

/** A field that can be changed but, under the contract, not cleared. */
function notCleared(start = '', what: string): Pick<Field, 'start' | 'check'> {
	return {
		start,
		check: value => (start !== '' && value.trim() === '' ? cannotClear(what, start) : undefined),
	};
}

/** Splits a typed list at commas, without duplicates. */
function listOf(typed: string): string[] {
	return [...new Set(typed.split(',').map(item => item.trim()))].filter(item => item !== '');
}
