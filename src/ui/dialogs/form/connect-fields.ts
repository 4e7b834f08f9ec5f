import type {Kept} from '../../../domain/accounts/account.ts';
import {addressProblem, withScheme} from '../../../domain/accounts/address.ts';
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
import {strings as screenStrings} from '../../strings.ts';
import {ifBlank} from './form-checks.ts';
import type {Field, FormSpec} from './form-fields.ts';
import {strings} from './strings.ts';

type Values = Readonly<Record<string, string>>;

const text = strings.connect;

/**
 * The form that creates or changes a profile. What is most likely pasted next, the key, comes before anything that would
 * show it; the name of a new one follows the address. `takenNames`: those of other profiles.
 */
export function connectSpec({hasEnvironmentKey, isFirst, takenNames, draft}: ConnectOptions): FormSpec {
	const nameOf = ({baseUrl = ''}: Values) => (isFirst ? defaultProfile : nameFor(baseUrl, takenNames));
	const source = draft?.keyFrom ?? keyFromOf({}, hasEnvironmentKey);
	const fields = (values: Values): readonly Field[] => [
		{
			name: 'baseUrl',
			...addressField(text.address, values.baseUrl),
			start: draft?.baseUrl ?? '',
			check: value => ifBlank(text.missing.address)(value) ?? checkAddress(value),
		},
		{
			name: 'keyFrom',
			label: text.source,
			hint: text.sourceHints[keyFromOf(values, hasEnvironmentKey)],
			start: source,
			choices: [
				{value: 'typed', label: text.sources.typed, key: 't'},
				{value: 'file', label: text.sources.file, key: 'f'},
				{value: 'command', label: text.sources.command, key: 'c'},
				{value: 'environment', label: text.sources.environment, key: 'e'},
			],
		},
		...keyFields(keyFromOf(values, hasEnvironmentKey), values, draft),
		{
			name: 'name',
			...text.name,
			...(!draft && takenNames.includes((values.name ?? '').trim()) && {hint: text.exists.hint}),
			start: draft?.name ?? nameOf({}),
			...(!draft && {follows: nameOf}),
			check: value =>
				ifBlank(text.missing.name)(value) ?? checkName(value.trim(), draft ? takenNames : [], draft?.name),
		},
		{
			name: 'appUrl',
			...addressField(text.appAddress, values.appUrl),
			start: draft?.appUrl ?? '',
			check: value => (value.trim() === '' ? undefined : checkAddress(value)),
		},
	];
	const start: Values = draft ? {baseUrl: draft.baseUrl, appUrl: draft.appUrl, keyFrom: source} : {};
	return {
		...(draft ? text.edit(draft.name, draft.kept && keptText(draft.kept, draft.baseUrl)) : text.form),
		fields: fields(start),
		fieldsOf: fields,
		moved: values => {
			const file = keyFromOf(values, hasEnvironmentKey) === 'typed' ? keyPath(values) : undefined;
			return file === undefined ? undefined : {...values, keyFrom: 'file', file, typed: ''};
		},
	};
}

function keptText(kept: Kept, address: string): string {
	return screenStrings.kept(kept, URL.parse(address)?.host ?? address);
}

type ConnectOptions = {
	readonly hasEnvironmentKey: boolean;
	readonly isFirst: boolean;
	readonly takenNames: readonly string[];
	/** The profile to change. */
	readonly draft?: SavedDraft;
};

/**
 * The form that replaces the key of a profile, by another one or by the path of another file. `keyFile`: the file that
 * the user keeps the key in.
 */
export function replaceKeySpec(
	{profile, keyFile}: {readonly profile: string; readonly keyFile?: string},
	keyFolder: string,
): FormSpec {
	const {title, submit, intro, hint, pathHint} = text.replaceKey;
	const fields = ({typed = ''}: Values): readonly Field[] => [
		{
			name: 'typed',
			label: text.typed.label,
			hint: isFilePath(typed) ? pathHint : hint,
			start: '',
			isSecret: !isFilePath(typed),
			check: value => (isFilePath(value) ? undefined : checkKey(value)),
		},
	];
	const moved = (values: Values) => {
		const typed = keyPath(values);
		return typed === undefined ? undefined : {...values, typed};
	};
	return {
		title: title(profile),
		submit,
		intro: intro(keyFolder, keyFile),
		fields: fields({}),
		fieldsOf: fields,
		moved,
	};
}

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
	const name = host
		.replaceAll(/[^A-Za-z0-9.-]+/g, '-')
		.replace(/^[.-]+/, '')
		.slice(0, 60);
	if (!takenNames.includes(name)) return name;
	const number = Array.from({length: takenNames.length + 1}, (_, index) => index + 2).find(
		number => !takenNames.includes(`${name}-${number}`),
	);
	return `${name}-${number}`;
}

/** Converts the form's values to a profile draft. */
export function profileDraft(values: Values): ProfileDraft {
	const keyFrom = keyFromOf(values, false);
	return {
		name: values.name ?? '',
		baseUrl: values.baseUrl ?? '',
		appUrl: values.appUrl ?? '',
		keyFrom,
		value: values[keyFrom] ?? '',
	};
}

function keyFromOf({keyFrom}: Values, hasEnvironmentKey: boolean): ProfileDraft['keyFrom'] {
	if (keyFrom === 'file' || keyFrom === 'command' || keyFrom === 'environment' || keyFrom === 'typed')
		return keyFrom;
	return hasEnvironmentKey ? 'environment' : 'typed';
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
	const aside = typed === '' && !isSaved ? {aside: text.typedAside} : {};
	return [{name: source, ...labels, ...aside, start, isSecret: !isPath, check}];
}

function checkKey(value: string): string | undefined {
	return ifBlank(text.missing.typed)(value) ?? (isKeyText(value.trim()) ? undefined : text.badKey);
}

function checkName(name: string, takenNames: readonly string[], own: string | undefined): string | undefined {
	if (!profileName().test(name)) return text.badName;
	if (name === own) return undefined;
	if (name === localProfile) return text.isEmbedded(name);
	return takenNames.includes(name) ? text.isTaken(name) : undefined;
}

function checkAddress(value: string): string | undefined {
	const problem = addressProblem(withScheme(value));
	return problem && text.badAddress(problem);
}
