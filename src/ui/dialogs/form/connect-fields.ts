import {addressProblem} from '../../../domain/accounts/address.ts';
import {type ProfileDraft, profileName} from '../../../domain/accounts/profile.ts';
import type {Field, FormSpec} from './form-fields.ts';

type Values = Readonly<Record<string, string>>;

/** The form that creates a profile. `isFirst`: no profile is set up yet. */
export function connectSpec({hasEnvironmentKey, isFirst}: ConnectFacts): FormSpec {
	const fields = (values: Values): readonly Field[] => [
		{
			name: 'baseUrl',
			label: 'Address',
			hint: 'of the service, such as https://service.example',
			start: '',
			check: value => missing('The address is missing')(value) ?? notAddress(value),
		},
		{
			name: 'appUrl',
			label: 'App address',
			hint: 'of readiness reports, if it differs; optional',
			start: '',
			check: value => (value.trim() === '' ? undefined : notAddress(value)),
		},
		{
			name: 'name',
			label: 'Profile',
			hint: 'your name for it: letters, digits, dots and dashes',
			start: isFirst ? 'default' : '',
			check: value =>
				missing('The name is missing')(value) ??
				(profileName().test(value.trim()) ? undefined : 'Only letters, digits, dots and dashes'),
		},
		{
			name: 'keyFrom',
			label: 'Key',
			hint: keyHints[keyFromOf(values, hasEnvironmentKey)],
			start: keyFromOf({}, hasEnvironmentKey),
			choices: [
				{value: 'typed', label: 'type it in', key: 't'},
				{value: 'file', label: 'file', key: 'f'},
				{value: 'command', label: 'command', key: 'c'},
				{value: 'environment', label: 'env', key: 'e'},
			],
		},
		...keyFields(keyFromOf(values, hasEnvironmentKey)),
	];
	return {title: 'Connect to a service', submit: 'Connect', fields: fields({}), fieldsOf: fields};
}

type ConnectFacts = {readonly hasEnvironmentKey: boolean; readonly isFirst: boolean};

const keyHints: Readonly<Record<ProfileDraft['keyFrom'], string>> = {
	typed: 'saved in a file that only you can read',
	file: 'a file that only you can read (mode 0600)',
	command: 'a command run at each start, such as a password manager',
	environment: 'QUARTERDECK_API_KEY, set before each start',
};

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
function keyFields(keyFrom: ProfileDraft['keyFrom']): Field[] {
	switch (keyFrom) {
		case 'typed':
			return [
				{
					name: 'typed',
					label: 'The key',
					hint: 'the key; it is never shown',
					start: '',
					isSecret: true,
					check: missing('The key is missing'),
				},
			];
		case 'file':
			return [
				{
					name: 'file',
					label: 'Its path',
					hint: 'full path, such as ~/keys/acme',
					start: '',
					check: missing('The file is missing'),
				},
			];
		case 'command':
			return [
				{
					name: 'command',
					label: 'Command',
					hint: 'prints the key, such as pass show acme/api-key',
					start: '',
					check: missing('The command is missing'),
				},
			];
		case 'environment':
			return [];
	}
}

function missing(words: string): (value: string) => string | undefined {
	return value => (value.trim() === '' ? words : undefined);
}

function notAddress(value: string): string | undefined {
	const problem = addressProblem(value.trim());
	return problem && `It ${problem}`;
}
