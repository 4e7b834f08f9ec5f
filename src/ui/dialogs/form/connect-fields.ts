import {addressProblem} from '../../../domain/accounts/address.ts';
import {type ProfileDraft, profileName} from '../../../domain/accounts/profile.ts';
import {strings} from '../strings.ts';
import type {Field, FormSpec} from './form-fields.ts';

type Values = Readonly<Record<string, string>>;

const text = strings.connect;

/** The form that creates a profile. `isFirst`: no profile is set up yet. */
export function connectSpec({hasEnvironmentKey, isFirst}: ConnectOptions): FormSpec {
	const fields = (values: Values): readonly Field[] => [
		{
			name: 'baseUrl',
			...text.address,
			start: '',
			check: value => required(text.required.address)(value) ?? checkAddress(value),
		},
		{
			name: 'appUrl',
			...text.appAddress,
			start: '',
			check: value => (value.trim() === '' ? undefined : checkAddress(value)),
		},
		{
			name: 'name',
			...text.name,
			start: isFirst ? 'default' : '',
			check: value =>
				required(text.required.name)(value) ?? (profileName().test(value.trim()) ? undefined : text.badName),
		},
		{
			name: 'keyFrom',
			label: text.source,
			hint: text.sourceHints[keyFromOf(values, hasEnvironmentKey)],
			start: keyFromOf({}, hasEnvironmentKey),
			choices: [
				{value: 'typed', label: text.sources.typed, key: 't'},
				{value: 'file', label: text.sources.file, key: 'f'},
				{value: 'command', label: text.sources.command, key: 'c'},
				{value: 'environment', label: text.sources.environment, key: 'e'},
			],
		},
		...keyFields(keyFromOf(values, hasEnvironmentKey)),
	];
	return {...text.form, fields: fields({}), fieldsOf: fields};
}

type ConnectOptions = {readonly hasEnvironmentKey: boolean; readonly isFirst: boolean};

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
function keyFields(source: ProfileDraft['keyFrom']): Field[] {
	if (source === 'environment') return [];
	const isSecret = source === 'typed';
	const check = required(text.required[source]);
	return [{name: source, ...text[source], start: '', ...(isSecret && {isSecret}), check}];
}

function required(what: string): (value: string) => string | undefined {
	return value => (value.trim() === '' ? strings.check.missing(what) : undefined);
}

function checkAddress(value: string): string | undefined {
	const problem = addressProblem(value.trim());
	return problem && text.badAddress(problem);
}
