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

/** What a key comes from, and the field for it. The environment has none. */
const keySources = {
	typed: {
		title: 'typed here',
		hint: 'the key, saved in a private file, or the path of a key file',
		field: {label: 'Key', hint: 'paste the key, or the path of a key file'},
		missing: 'The key is missing',
	},
	file: {
		title: 'file',
		hint: 'a file of yours with the key; only its path is saved',
		field: {label: 'Key file', hint: 'full path, such as ~/keys/acme; its mode must be 0600'},
		missing: 'The file is missing',
	},
	command: {
		title: 'command',
		hint: 'a command prints the key; only the command is saved',
		field: {label: 'Command', hint: 'prints the key, such as pass show acme/api-key'},
		missing: 'The command is missing',
	},
	environment: {title: 'env', hint: 'QUARTERDECK_API_KEY has the key; nothing is saved'},
} as const satisfies Record<ProfileDraft['keyFrom'], unknown>;

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
					what: `The profile ${other.name} exists: choose another name, or change it.`,
					field: 'name',
					question: {
						title: `Change the profile ${other.name}?`,
						text: changeText(other.address, withScheme(draft.baseUrl).replace(/\/$/, '')),
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
		const kept = saved.kept ? `; ${screenStrings.kept(saved.kept, hostOf(saved.baseUrl))}` : '';
		return {
			title: `Profile ${saved.name}`,
			submit: 'Save',
			intro: `Stored data belongs to an address. Another address has its own sessions and drafts${kept}.`,
			...profileFields(parts, takenNames, saved),
			async run(values, signal) {
				const draft = {...profileDraft(values), replaces: saved.name};
				const result = inForm(await profiles.change(draft, signal), values);
				if (result.isDone || !result.isUnreachable) return result;
				return {
					...result,
					question: {
						title: 'Save anyway?',
						text: `${result.what} The key can't be checked now. If it was used at this address before, the data stored for it shows at once.`,
						yes: async signal => inForm(await profiles.change(draft, signal, true), values),
					},
				};
			},
		};
	};

/** What a profile of another address, or of the same one, becomes. */
function changeText(before: string, after: string): string {
	return before === after
		? `It has this address already, ${after}. Its key source is replaced.`
		: `Its address, ${before}, becomes ${after}. Data stored for the old address stays with it.`;
}

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
				...addressField(
					'Address',
					'of the service, such as https://service.example',
					values.baseUrl ?? draft?.baseUrl,
				),
				start: draft?.baseUrl ?? '',
				check: value => ifBlank('The address is missing')(value) ?? checkAddress(value),
			},
			{
				name: 'keyFrom',
				label: 'Key source',
				hint: keySources[sourceOf(values)].hint,
				start,
				choices: [
					{value: 'typed', label: keySources.typed.title, key: 't'},
					{value: 'file', label: keySources.file.title, key: 'f'},
					{value: 'command', label: keySources.command.title, key: 'c'},
					{value: 'environment', label: keySources.environment.title, key: 'e'},
				],
			},
			...keyFields(sourceOf(values), values, draft),
			{
				name: 'name',
				label: 'Profile',
				hint: 'a name for it: letters, digits, dots and dashes',
				...(!draft &&
					takenNames.includes((values.name ?? '').trim()) && {
						hint: 'exists: connecting asks whether to change it',
					}),
				start: draft?.name ?? nameOf({}),
				follows: draft ? undefined : nameOf,
				check: value =>
					ifBlank('The name is missing')(value) ??
					checkName(value.trim(), draft ? takenNames : [], draft?.name),
			},
			{
				name: 'appUrl',
				...addressField(
					'App address',
					'of readiness reports, if it differs; optional',
					values.appUrl ?? draft?.appUrl,
				),
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
		const stays = keyFile === undefined ? '' : ` The file ${keyFile} stays as it is.`;
		return {
			title: `Replace the key of ${name}`,
			submit: 'Replace',
			intro: `A pasted key is saved in a private file in ${profiles.keyFolder}.${stays}`,
			isForProfiles: true,
			fields: ({typed = ''}) => [
				{
					name: 'typed',
					label: keySources.typed.field.label,
					hint: isFilePath(typed)
						? 'a path: from now on the key is read from this file'
						: 'paste the new key, or the path of a key file',
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
function addressField(label: string, hint: string, value = '') {
	const address = withScheme(value);
	return {label, hint: address === value.trim() ? hint : `as ${address}`};
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
		return [{name: source, ...keySources[source].field, start, check: ifBlank(keySources[source].missing)}];
	// A typed key is saved: type only to replace it.
	const isSaved = draft?.keyFrom === 'typed';
	const check = (value: string) => (isSaved && value.trim() === '' ? undefined : checkKey(value));
	const isPath = isFilePath(typed);
	const {label, hint: unsaved} = keySources.typed.field;
	const typedHint = isSaved ? 'paste another one here; empty keeps the saved one' : unsaved;
	const hint = isPath ? 'a path: the key will be read from this file' : typedHint;
	return [{name: source, label, hint, start, isSecret: !isPath, check}];
}

const badKey = 'Not a key: a key is one word. Paste it again';

function checkKey(value: string): string | undefined {
	return ifBlank(keySources.typed.missing)(value) ?? (isKeyText(value.trim()) ? undefined : badKey);
}

function checkName(name: string, takenNames: readonly string[], own: string | undefined): string | undefined {
	if (!profileName.test(name)) return 'Only letters, digits, dots and dashes';
	if (name === own) return undefined;
	if (name === localProfile) return `${name} is the name of the embedded service`;
	return takenNames.includes(name) ? `Another profile has the name ${name}` : undefined;
}

function checkAddress(value: string): string | undefined {
	const problem = addressProblem(withScheme(value));
	return problem && `The address ${problem}: try https://service.example`;
}
