import type {Computer, ComputerDraft, ComputerPatch} from '../../../domain/computers/computer.ts';
import {nameLength, remoteUserLength, repoCount} from '../../../domain/limits.ts';
import {
	checkHostId,
	checkName,
	checkRemoteUser,
	checkRepo,
	checkRepos,
	reposOf,
	unless,
} from './form-checks.ts';
import type {Field} from './form-fields.ts';

/** The form fields for creating a computer. */
export function newComputer(userName: string): Field[] {
	return [
		{
			name: 'name',
			label: 'Name',
			hint: '1 to 63 characters',
			maxLength: nameLength.max,
			start: '',
			check: checkName,
		},
		{
			name: 'remoteUser',
			label: 'Remote user',
			hint: 'who sessions run as, 1 to 63 characters',
			maxLength: remoteUserLength.max,
			start: userName,
			check: checkRemoteUser,
		},
		{
			name: 'repos',
			label: 'Repositories',
			hint: `URLs separated by spaces, at most ${repoCount}; optional`,
			start: '',
			check: checkRepos,
			items: value => reposOf(value).map(text => ({text, problem: checkRepo(text)})),
		},
		{
			name: 'autoInstallDeps',
			label: 'Install deps',
			hint: 'if there are repositories, always, or never',
			start: '',
			choices: [
				{value: '', label: 'if repos'},
				{value: 'yes', label: 'yes', key: 'y'},
				{value: 'no', label: 'no', key: 'n'},
			],
		},
		{
			name: 'provider',
			label: 'Provider',
			hint: "the machine's source; unset lets the service choose",
			start: '',
			choices: [
				{value: '', label: 'unset'},
				{value: 'byom', label: 'byom', key: 'b'},
				{value: 'e2b', label: 'e2b', key: 'e'},
			],
		},
		{name: 'hostId', label: 'Host id', hint: 'a UUID; optional', start: '', check: checkHostId},
	];
}

/** The form fields for updating a computer, filled with its known values. */
export function changeComputer(computer: Computer | undefined): Field[] {
	const {name = '', remoteUser = '', hostId = ''} = computer ?? {};
	const unread = computer === undefined ? '; not read yet: leave empty to keep it' : '';
	return [
		{
			name: 'name',
			label: 'Name',
			hint: `1 to 63 characters${unread}`,
			maxLength: nameLength.max,
			start: name,
			check: unless(name, checkName),
		},
		{
			name: 'remoteUser',
			label: 'Remote user',
			hint: `1 to 63 characters${unread}`,
			maxLength: remoteUserLength.max,
			start: remoteUser,
			check: unless(remoteUser, checkRemoteUser),
		},
		{
			name: 'hostId',
			label: 'Host id',
			hint: hostId === '' ? 'a UUID; optional' : 'a UUID',
			start: hostId,
			check: unless(hostId, value =>
				value === '' ? "The service can't clear the host id: enter another, or keep it" : checkHostId(value),
			),
		},
	];
}

type Values = Readonly<Record<string, string>>;

export function computerDraft(values: Values): ComputerDraft {
	const repos = reposOf(values.repos ?? '');
	const {provider, autoInstallDeps} = values;
	const hostId = values.hostId?.trim();
	const isInstalled = autoInstallDeps ? autoInstallDeps === 'yes' : repos.length > 0 || undefined;
	return {
		name: values.name ?? '',
		remoteUser: values.remoteUser ?? '',
		...(repos.length > 0 && {repos}),
		...(isInstalled !== undefined && {autoInstallDeps: isInstalled}),
		...((provider === 'byom' || provider === 'e2b') && {provider}),
		...(hostId && {hostId}),
	};
}

/** The changed fields only; undefined when nothing changed. */
export function computerPatch(values: Values, fields: readonly Field[]): ComputerPatch | undefined {
	const changed = fields.filter(({name, start}) => (values[name] ?? '') !== start);
	if (changed.length === 0) return undefined;
	const value = ({name}: Field) => (name === 'hostId' ? (values[name] ?? '').trim() : (values[name] ?? ''));
	return Object.fromEntries(changed.map(field => [field.name, value(field)]));
}
