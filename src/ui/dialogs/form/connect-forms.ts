import type {Result} from '../../../actions/notify.ts';
import {addressProblem, withScheme} from '../../../domain/accounts/account.ts';
import {
	defaultProfile,
	isFilePath,
	isKeyText,
	localProfile,
	type ProfileDraft,
	profileName,
} from '../../../domain/accounts/profile.ts';
import {pastedPaths} from '../../../text/editor/pasted-path.ts';
import {withoutRequest} from '../../banner-lines.ts';
import type {AppParts} from '../../use-app.ts';
import type {Field, Form, Values} from './form.ts';
import {ifBlank} from './form-checks.ts';

const keyHint = 'paste the key, or the path of a key file';
/** The hint where the field may stay empty, by where the key comes from already. */
const emptyHints: Partial<Record<ProfileDraft['keyFrom'], string>> = {
	typed: 'key or path of its file; empty keeps the saved one',
	command: 'key or path of its file; empty keeps the command',
	environment: 'key or path of its file; empty: QUARTERDECK_API_KEY',
};

/**
 * Connects to another service as a new profile, which replaces the whole screen, this form included. `takenNames`: those
 * of the other profiles.
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
			run: async (values, signal) => inForm(await profiles.connect(profileDraft(values), signal)),
		};
	};

/** Changes a saved profile. */
export const editProfileForm =
	(saved: ProfileDraft, takenNames: readonly string[]) =>
	(parts: AppParts): Form => ({
		title: `Profile ${saved.name}`,
		submit: 'Save',
		intro: 'Stored data belongs to an address. Another address has its own sessions and drafts.',
		...profileFields(parts, takenNames, saved),
		async run(values, signal) {
			const draft = {...profileDraft(values, saved), replaces: saved.name};
			return inForm(await parts.program.profiles.change(draft, signal));
		},
	});

/** The result of a connection as the form shows it: without the request. */
function inForm(result: Result<undefined>): Result<undefined> {
	return result.isDone ? result : {...result, what: withoutRequest(result.what)};
}

/**
 * The fields of a new profile, or of the one to change. What is most likely pasted next, the key, comes before anything
 * that would show it; the name of a new one follows the address.
 */
function profileFields({program, profile}: AppParts, takenNames: readonly string[], saved?: ProfileDraft) {
	const nameOf = ({baseUrl = ''}: Values) =>
		profile.isConnected ? nameFor(baseUrl, takenNames) : defaultProfile;
	const ownKey = saved?.keyFrom ?? (program.profiles.hasEnvironmentKey ? 'environment' : 'file');
	const emptyHint = emptyHints[ownKey];
	return {
		fields: (values: Values): readonly Field[] => [
			{
				name: 'baseUrl',
				...addressField(
					'Address',
					'of the service, such as https://service.example',
					values.baseUrl ?? saved?.baseUrl,
				),
				start: saved?.baseUrl ?? '',
				check: value => ifBlank('The address is missing')(value) ?? checkAddress(value),
			},
			{
				...keyField(values, emptyHint ?? keyHint),
				start: saved?.keyFrom === 'file' ? saved.value : '',
				check: value => (emptyHint && value.trim() === '' ? undefined : checkKey(value)),
			},
			{
				name: 'name',
				label: 'Profile',
				hint: 'a name of yours: letters, digits, dots and dashes',
				start: saved?.name ?? nameOf({}),
				follows: saved ? undefined : nameOf,
				check: value =>
					ifBlank('The name is missing')(value) ?? checkName(value.trim(), takenNames, saved?.name),
			},
			{
				name: 'appUrl',
				...addressField(
					'App address',
					'of readiness reports, if it differs; optional',
					values.appUrl ?? saved?.appUrl,
				),
				start: saved?.appUrl ?? '',
				check: value => (value.trim() === '' ? undefined : checkAddress(value)),
			},
		],
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
			fields: values => [{...keyField(values, keyHint), start: '', check: checkKey}],
			run: async ({key = ''}, signal) => inForm(await profiles.replaceKey(name, keyPath(key) ?? key, signal)),
		};
	};

/** A key is never shown, but the path of its file is. */
function keyField({key = ''}: Values, hint: string) {
	const isPath = keyPath(key) !== undefined;
	return {
		name: 'key',
		label: 'Key',
		hint: isPath ? 'a path: the key is read from this file' : hint,
		isSecret: !isPath,
	};
}

/** The path that was given as the key, if it was one, without quotes and the like of a dropped file. */
function keyPath(key: string): string | undefined {
	const path = pastedPaths(key).findLast(({length}) => length === 1)?.[0];
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

function profileDraft(
	{name = '', baseUrl = '', appUrl = '', key = ''}: Values,
	saved: Pick<ProfileDraft, 'keyFrom' | 'value'> = {keyFrom: 'environment', value: ''},
): ProfileDraft {
	const {keyFrom, value} = saved;
	const path = keyPath(key);
	if (path !== undefined) return {name, baseUrl, appUrl, keyFrom: 'file', value: path};
	if (key.trim() !== '') return {name, baseUrl, appUrl, keyFrom: 'typed', value: key};
	return {name, baseUrl, appUrl, keyFrom, value};
}

function checkKey(value: string): string | undefined {
	if (keyPath(value) !== undefined || isKeyText(value.trim())) return undefined;
	return ifBlank('The key is missing')(value) ?? 'Not a key: a key is one word. Paste it again';
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
