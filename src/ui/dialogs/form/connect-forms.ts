import type {Result} from '../../../actions/notify.ts';
import {addressProblem, withScheme} from '../../../domain/accounts/account.ts';
import {
	defaultProfile,
	isFilePath,
	isKeyText,
	localProfile,
	type ProfileDraft,
	profileName,
	type SavedDraft,
} from '../../../domain/accounts/profile.ts';
import {pastedPaths} from '../../../text/editor/pasted-path.ts';
import {withoutRequest} from '../../banner-lines.ts';
import {strings as screenStrings} from '../../strings.ts';
import type {AppParts} from '../../use-app.ts';
import type {Field, Form, Values} from './form.ts';
import {ifBlank} from './form-checks.ts';
import {strings} from './strings.ts';

const text = strings.connect;

/**
 * Connects to another service as a new profile, which replaces the whole screen, this form included. Asks before it
 * changes a profile of that name instead. `takenNames`: those of the other profiles.
 */
export const connectForm =
	(takenNames: readonly string[]) =>
	(parts: AppParts): Form => {
		const {profiles} = parts.program;
		return {
			title: 'Connect to a service',
			submit: 'Connect',
			...profileFields(parts, takenNames),
			keptAs: 'connect',
			async run(values, signal) {
				const draft = profileDraft(values);
				const listed = await profiles.list();
				const entries = listed.isDone ? listed.value : [];
				const other = entries.find(({name}) => name === draft.name.trim());
				if (!other?.address) return inForm(await profiles.connect(draft, signal), values);
				return {
					isDone: false,
					what: text.exists.problem(other.name),
					field: 'name',
					question: {
						title: text.exists.title(other.name),
						text: text.exists.question(other.address, withScheme(draft.baseUrl).replace(/\/$/, '')),
						yes: async signal =>
							inForm(await profiles.connect({...draft, replaces: other.name}, signal), values),
					},
				};
			},
		};
	};

/** Changes a saved profile. If nothing answers at its address, asks whether to save it nevertheless. */
export const editProfileForm =
	(saved: SavedDraft, takenNames: readonly string[]) =>
	(parts: AppParts): Form => {
		const {profiles} = parts.program;
		return {
			...text.edit(saved.name, saved.kept && screenStrings.kept(saved.kept, hostOf(saved.baseUrl))),
			...profileFields(parts, takenNames, saved),
			async run(values, signal) {
				const draft = {...profileDraft(values), replaces: saved.name};
				const result = inForm(await profiles.change(draft, signal), values);
				if (result.isDone || !result.isUnreachable) return result;
				return {
					...result,
					question: {
						title: text.unreachable.title,
						text: text.unreachable.text(result.what),
						yes: async signal => inForm(await profiles.change(draft, signal, true), values),
					},
				};
			},
		};
	};

/** `acme.example`; an address that is none stays as it is. */
function hostOf(address: string): string {
	return URL.parse(address)?.host ?? address;
}

/** The result of a connection as the form shows it: without the request, and at the field of the key. */
function inForm(result: Result<undefined>, {keyFrom = 'typed'}: Values): Result<undefined> {
	if (result.isDone) return result;
	// A key from the environment has no field of its own.
	const keyField = keyFrom === 'environment' ? 'keyFrom' : keyFrom;
	return {
		...result,
		what: withoutRequest(result.what),
		field: result.field === 'key' ? keyField : result.field,
	};
}

/**
 * The fields of a new profile, or of the one to change. What is most likely pasted next, the key, comes before anything
 * that would show it; the name of a new one follows the address.
 */
function profileFields({program, profile}: AppParts, takenNames: readonly string[], draft?: SavedDraft) {
	const nameOf = ({baseUrl = ''}: Values) =>
		profile.isConnected ? nameFor(baseUrl, takenNames) : defaultProfile;
	const start = draft?.keyFrom ?? (program.profiles.hasEnvironmentKey ? 'environment' : 'typed');
	const sourceOf = (values: Values) => (values.keyFrom ?? start) as ProfileDraft['keyFrom'];
	return {
		isForProfiles: true,
		fields: (values: Values): readonly Field[] => [
			{
				name: 'baseUrl',
				...addressField(text.address, values.baseUrl ?? draft?.baseUrl),
				start: draft?.baseUrl ?? '',
				check: value => ifBlank(text.missing.address)(value) ?? checkAddress(value),
			},
			{
				name: 'keyFrom',
				label: text.source,
				hint: text.sourceHints[sourceOf(values)],
				start,
				choices: [
					{value: 'typed', label: text.sources.typed, key: 't'},
					{value: 'file', label: text.sources.file, key: 'f'},
					{value: 'command', label: text.sources.command, key: 'c'},
					{value: 'environment', label: text.sources.environment, key: 'e'},
				],
			},
			...keyFields(sourceOf(values), values, draft),
			{
				name: 'name',
				label: 'Profile',
				hint: 'a name for it: letters, digits, dots and dashes',
				...(!draft && takenNames.includes((values.name ?? '').trim()) && {hint: text.exists.hint}),
				start: draft?.name ?? nameOf({}),
				follows: draft ? undefined : nameOf,
				check: value =>
					ifBlank(text.missing.name)(value) ?? checkName(value.trim(), draft ? takenNames : [], draft?.name),
			},
			{
				name: 'appUrl',
				...addressField(text.appAddress, values.appUrl ?? draft?.appUrl),
				start: draft?.appUrl ?? '',
				check: value => (value.trim() === '' ? undefined : checkAddress(value)),
			},
		],
		moved(values: Values): Values | undefined {
			const file = sourceOf(values) === 'typed' ? keyPath(values) : undefined;
			return file === undefined ? undefined : {...values, keyFrom: 'file', file, typed: ''};
		},
	} as const;
}

/**
 * Replaces the key of a profile, by another one or by the path of another file. `keyFile`: the file that the user keeps
 * the key in.
 */
export const replaceKeyForm =
	({name, keyFile}: {readonly name: string; readonly keyFile?: string}) =>
	({program}: AppParts): Form => {
		const {profiles} = program;
		const {title, submit, intro, hint, pathHint} = text.replaceKey;
		return {
			title: title(name),
			submit,
			intro: intro(profiles.keyFolder, keyFile),
			isForProfiles: true,
			fields: ({typed = ''}) => [
				{
					name: 'typed',
					label: text.typed.label,
					hint: isFilePath(typed) ? pathHint : hint,
					start: '',
					isSecret: !isFilePath(typed),
					check: value => (isFilePath(value) ? undefined : checkKey(value)),
				},
			],
			moved(values) {
				const typed = keyPath(values);
				return typed === undefined ? undefined : {...values, typed};
			},
			run: async (values, signal) =>
				inForm(await profiles.replaceKey(name, values.typed ?? '', signal), values),
		};
	};

/** The path that was given as the key, if it was one, without quotes and the like of a dropped file. */
function keyPath({typed = ''}: Values): string | undefined {
	const path = pastedPaths(typed).findLast(({length}) => length === 1)?.[0];
	return path !== undefined && isFilePath(path) ? path : undefined;
}

/** The hint says which scheme an address without one gets. */
function addressField({label, hint}: {readonly label: string; readonly hint: string}, value = '') {
	const address = withScheme(value);
	return {label, hint: address === value.trim() ? hint : text.asAddress(address)};
}

/** A profile's name after the host of its address, unlike all others. */
function nameFor(address: string, takenNames: readonly string[]): string {
	const host = URL.parse(withScheme(address))?.host ?? '';
	const base = host
		.replaceAll(/[^A-Za-z0-9.-]+/g, '-')
		.replace(/^[.-]+/, '')
		.slice(0, 60);
	let name = base;
	for (let number = 2; takenNames.includes(name); number++) name = `${base}-${number}`;
	return name;
}

function profileDraft(values: Values): ProfileDraft {
	const {name = '', baseUrl = '', appUrl = ''} = values;
	const keyFrom = values.keyFrom as ProfileDraft['keyFrom'];
	return {name, baseUrl, appUrl, keyFrom, value: values[keyFrom] ?? ''};
}

/** Each key source has its own field, so a value typed for one never shows up for another. */
function keyFields(
	source: ProfileDraft['keyFrom'],
	{typed = ''}: Values,
	draft: ProfileDraft | undefined,
): Field[] {
	if (source === 'environment') return [];
	const start = draft?.keyFrom === source ? draft.value : '';
	if (source !== 'typed')
		return [{name: source, ...text[source], start, check: ifBlank(text.missing[source])}];
	// A typed key is saved: type only to replace it.
	const isSaved = draft?.keyFrom === 'typed';
	const check = (value: string) => (isSaved && value.trim() === '' ? undefined : checkKey(value));
	const isPath = isFilePath(typed);
	const labels = isPath ? text.typedPath : isSaved ? text.savedKey : text.typed;
	return [{name: source, ...labels, start, isSecret: !isPath, check}];
}

function checkKey(value: string): string | undefined {
	return ifBlank(text.missing.typed)(value) ?? (isKeyText(value.trim()) ? undefined : text.badKey);
}

function checkName(name: string, takenNames: readonly string[], own: string | undefined): string | undefined {
	if (!profileName.test(name)) return text.badName;
	if (name === own) return undefined;
	if (name === localProfile) return text.isEmbedded(name);
	return takenNames.includes(name) ? text.isTaken(name) : undefined;
}

function checkAddress(value: string): string | undefined {
	const problem = addressProblem(withScheme(value));
	return problem && text.badAddress(problem);
}
