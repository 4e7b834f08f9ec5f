import type {Computer, ComputerDraft, ComputerPatch} from '../../../domain/computers/computer.ts';
import {nameLength, remoteUserLength, repoCount} from '../../../domain/limits.ts';
import type {Fleet} from '../../../state/fleet.ts';
import {
	checkHostId,
	checkName,
	checkRemoteUser,
	checkRepo,
	checkRepos,
	reposOf,
	unless,
} from './form-checks.ts';
import type {Field, FormSpec} from './form-fields.ts';
import {strings} from './strings.ts';

const text = strings.computer;

/** The form fields for creating a computer; what the contract asks for is filled in. */
export function newComputer({computers}: Pick<Fleet, 'computers'>, userName: string): Field[] {
	return [
		{
			name: 'name',
			...text.name,
			maxLength: nameLength.max,
			start: freeName(computers),
			check: checkName,
		},
		{
			name: 'remoteUser',
			...text.user,
			maxLength: remoteUserLength.max,
			start: userName,
			check: checkRemoteUser,
		},
		{
			name: 'repos',
			...text.repos(repoCount),
			start: '',
			check: checkRepos,
			items: value => reposOf(value).map(repo => ({text: repo, problem: checkRepo(repo)})),
		},
		{
			name: 'autoInstallDeps',
			...text.install,
			start: '',
			choices: [
				{value: '', label: text.installChoices.auto},
				{value: 'yes', label: text.installChoices.yes, key: 'y'},
				{value: 'no', label: text.installChoices.no, key: 'n'},
			],
		},
		{
			name: 'provider',
			...text.provider,
			start: '',
			choices: [
				{value: '', label: text.providerUnset},
				{value: 'byom', label: text.ownMachine, note: 'byom', key: 'b'},
				{value: 'e2b', label: text.cloudSandbox, note: 'e2b', key: 'e'},
			],
		},
		{name: 'hostId', ...text.hostId, start: '', check: checkHostId},
	];
}

/** The first numbered name that no known computer has. */
function freeName(computers: Fleet['computers']): string {
	const taken = new Set([...computers.values()].map(({computer}) => computer?.name));
	let number = 1;
	while (taken.has(text.freeName(number))) number++;
	return text.freeName(number);
}

/** The form fields for updating a computer, filled with its known values. */
export function changeComputer(computer: Computer | undefined): Field[] {
	const {name = '', remoteUser = '', hostId = ''} = computer ?? {};
	const unread = computer === undefined ? text.unread : '';
	const hint = `${text.name.hint}${unread}`;
	return [
		{
			name: 'name',
			...text.name,
			hint,
			maxLength: nameLength.max,
			start: name,
			check: unless(name, checkName),
		},
		{
			name: 'remoteUser',
			...text.user,
			hint,
			maxLength: remoteUserLength.max,
			start: remoteUser,
			check: unless(remoteUser, checkRemoteUser),
		},
		{
			name: 'hostId',
			...text.hostId,
			...(hostId !== '' && {hint: text.knownHostId}),
			start: hostId,
			check: unless(hostId, value =>
				value === '' ? strings.check.cannotClear(text.hostIdName, text.keepIt) : checkHostId(value),
			),
		},
	];
}

/** The form for the first computer of a service, which a session waits for: its optional fields are folded. */
export function firstComputer(fleet: Pick<Fleet, 'computers'>, userName: string): FormSpec {
	const [name, user, ...others] = newComputer(fleet, userName);
	const options: Field = {
		name: 'options',
		...text.options,
		start: '',
		choices: [
			{value: '', label: text.optionsUnset},
			{value: 'set', label: text.optionsSet},
		],
	};
	const fieldsOf = (values: Values) =>
		[name, user, options, ...(values.options === 'set' ? others : [])].filter(field => field !== undefined);
	return {...text.create, intro: text.firstIntro, fields: fieldsOf({}), fieldsOf};
}

type Values = Readonly<Record<string, string>>;

export function computerDraft(all: Values): ComputerDraft {
	const {name = '', remoteUser = ''} = all;
	// Values that were filled in and then hidden don't count.
	const values: Values = all.options === '' ? {} : all;
	const repos = reposOf(values.repos ?? '');
	const {provider, autoInstallDeps} = values;
	const hostId = values.hostId?.trim();
	const isInstalled = autoInstallDeps ? autoInstallDeps === 'yes' : repos.length > 0 || undefined;
	return {
		name,
		remoteUser,
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
