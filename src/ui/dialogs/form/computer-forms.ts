import {createComputer, updateComputer} from '../../../actions/computers.ts';
import {configuredHosts} from '../../../actions/machines.ts';
import {done, type Result} from '../../../actions/notify.ts';
import {
	type Computer,
	type ComputerDraft,
	commandProblem,
	commandWords,
	hostProblem,
	hostTitle,
	type MachineHost,
} from '../../../domain/computers/computer.ts';
import {nameLength, remoteUserLength, repoCount} from '../../../domain/limits.ts';
import type {Fleet} from '../../../state/fleet.ts';
import {showResult} from '../../open-session.ts';
import type {AppParts} from '../../use-app.ts';
import {openNewSessionDialog} from '../new-session/new-session-state.ts';
import {showing} from './add-form.ts';
import type {Field, Form, FormResult, Values} from './form.ts';
import {
	cannotClear,
	checkHostId,
	checkName,
	checkRemoteUser,
	checkRepos,
	reposOf,
	unless,
} from './form-checks.ts';

const hostIdField = {label: 'Host id', hint: 'of a registered machine, a UUID; optional'};

/** A new computer; what the contract asks for is filled in. */
export function newComputerForm(parts: AppParts): Form {
	return createForm(parts, created => showing(parts, 'computer', created));
}

/** The first computer, which a session waits for. */
export function firstComputerForm(parts: AppParts): Form {
	return {
		...createForm(parts, created => {
			if (!created.isDone) return created;
			return done(() => {
				showResult(parts, {kind: 'computer', id: created.value}, false);
				openNewSessionDialog(parts, created.value);
			});
		}),
		intro: 'A session runs on a computer. This creates the first one; all it needs is filled in.',
	};
}

function createForm(parts: AppParts, show: (created: Result<string>) => FormResult): Form {
	const fields = newFields(parts);
	// Only the embedded service connects to other machines.
	const where = parts.profile.host === undefined ? whereField() : undefined;
	return {
		title: 'New computer',
		submit: 'Create',
		keptAs: 'new-computer',
		fields: ({where: place = ''}) => {
			if (!where) return fields;
			const hidden = place === '' ? ['remoteUser'] : ['remoteUser', 'provider', 'hostId'];
			return [where, ...hostFields(place), ...fields.filter(({name}) => !hidden.includes(name))];
		},
		async run(values) {
			const host = hostOf(values);
			// A machine says itself who its user is; here, it is the user of the program.
			const all = where ? {...values, remoteUser: parts.program.userName} : values;
			const make = async () => show(await create(parts, all));
			if (!host) return make();
			const title = hostTitle(host);
			const question = {
				title: `Use ${title}?`,
				text: `Quarterdeck (2.5 MB) is copied to ~/.local/share/quarterdeck on ${title}. If ${title} has no Node, this machine's is copied, too (up to 130 MB). The service runs there as the user you log in as.`,
				yes: make,
			};
			return {isDone: false, what: question.text, question};
		},
	};
}

/** Where the computer is: here, a host that ssh knows, another one, or whatever a command reaches. */
function whereField(): Field {
	return {
		name: 'where',
		label: 'Where',
		hint: 'this machine, or another that ssh or a command reaches',
		start: '',
		choices: [
			{value: '', label: 'this machine'},
			...configuredHosts().map(host => ({value: host, label: host})),
			{value: otherHost, label: 'another ssh host'},
			{value: byCommand, label: 'by a command'},
		],
	};
}

// No names of hosts, as they have spaces.
const otherHost = 'other host';
const byCommand = 'by command';

/** How another machine is reached that isn't among the choices. */
function hostFields(where: string): Field[] {
	const ssh: Field = {
		name: 'ssh',
		label: 'Host',
		hint: 'as ssh calls it: a name of ~/.ssh/config, or user@host',
		start: '',
		check: value => {
			if (value.trim() === '') return 'The host is missing';
			const problem = hostProblem(value.trim());
			return problem && `The host ${problem}`;
		},
	};
	const command: Field = {
		name: 'command',
		label: 'Command',
		hint: 'runs a program there, such as podman exec -i gpu',
		start: '',
		check: value => {
			if (value.trim() === '') return 'The command is missing';
			const problem = commandProblem(value);
			return problem && `The command ${problem}`;
		},
	};
	if (where === otherHost) return [ssh];
	return where === byCommand ? [command] : [];
}

function hostOf({where = '', ssh = '', command = ''}: Values): MachineHost | undefined {
	if (where === '') return undefined;
	if (where === byCommand) return {command: commandWords(command)};
	return {ssh: where === otherHost ? ssh.trim() : where};
}

async function create({actions}: AppParts, values: Values): Promise<Result<string>> {
	const created = await createComputer(actions, computerDraft(values));
	return created.isDone ? done(created.value.id) : created;
}

function newFields({stores, program}: AppParts): Field[] {
	const name = freeName(stores.fleet.getState().computers);
	return [
		{
			name: 'name',
			label: 'Name',
			hint: '1 to 63 characters',
			maxLength: nameLength.max,
			start: name,
			follows(values) {
				const host = hostOf(values);
				return host ? [...hostTitle(host)].slice(0, nameLength.max).join('') : name;
			},
			check: checkName,
		},
		{
			name: 'remoteUser',
			label: 'Remote user',
			hint: 'the user on it that runs the sessions; 1 to 63 characters',
			maxLength: remoteUserLength.max,
			start: program.userName,
			check: checkRemoteUser,
		},
		{
			name: 'repos',

			label: 'Repositories',
			hint: `URLs separated by spaces, at most ${repoCount}; optional`,
			start: '',
			check: checkRepos,
			isList: true,
		},
		{
			name: 'autoInstallDeps',
			label: 'Install deps',
			hint: 'if repos: only when there are repositories',
			start: '',
			choices: [
				{value: '', label: 'if repos'},
				{value: 'yes', label: 'yes'},
				{value: 'no', label: 'no'},
			],
		},
		{
			name: 'provider',
			label: 'Provider',
			hint: 'any: the service chooses; your machine: one you registered',
			start: '',
			choices: [
				{value: '', label: 'any'},
				{value: 'byom', label: 'your machine (byom)'},
				{value: 'e2b', label: 'cloud sandbox (e2b)'},
			],
		},
		{name: 'hostId', ...hostIdField, start: '', check: checkHostId},
	];
}

/** The first numbered name that no known computer has. */
function freeName(computers: Fleet['computers']): string {
	const taken = new Set([...computers.values()].map(({computer}) => computer?.name));
	let number = 1;
	while (taken.has(`computer-${number}`)) number++;
	return `computer-${number}`;
}

function computerDraft(values: Values): ComputerDraft {
	const {name = '', remoteUser = '', provider, autoInstallDeps} = values;
	const host = hostOf(values);
	const repos = reposOf(values.repos ?? '');
	const hostId = values.hostId?.trim();
	const isInstalled = autoInstallDeps ? autoInstallDeps === 'yes' : repos.length > 0 || undefined;
	return {
		name,
		remoteUser,
		host,
		repos: repos.length > 0 ? repos : undefined,
		autoInstallDeps: isInstalled,
		provider: provider === 'byom' || provider === 'e2b' ? provider : undefined,
		hostId: hostId || undefined,
	};
}

/** Changes a computer; sends only what was changed. */
export const editComputerForm =
	(computerId: string) =>
	(parts: AppParts): Form => {
		const fields = editFields(parts.stores.fleet.getState().computers.get(computerId)?.computer);
		return {
			title: 'Edit computer',
			submit: 'Save',
			fields: () => fields,
			async run(values) {
				const changed = fields.filter(({name, start}) => values[name] !== start);
				const typed: Values = {...values, hostId: values.hostId?.trim() ?? ''};
				const patch = Object.fromEntries(changed.map(({name}) => [name, typed[name] ?? '']));
				const updated =
					changed.length > 0 ? await updateComputer(parts.actions, computerId, patch) : done(undefined);
				return showing(parts, 'computer', updated.isDone ? done(computerId) : updated);
			},
		};
	};

function editFields(computer: Computer | undefined): Field[] {
	const {name = '', remoteUser = '', hostId = ''} = computer ?? {};
	const unread = computer === undefined ? '; not read yet: empty keeps it' : '';
	const hint = `1 to 63 characters${unread}`;
	return [
		{
			name: 'name',
			label: 'Name',
			hint,
			maxLength: nameLength.max,
			start: name,
			check: unless(name, checkName),
		},
		{
			name: 'remoteUser',
			label: 'Remote user',
			hint,
			maxLength: remoteUserLength.max,
			start: remoteUser,
			check: unless(remoteUser, checkRemoteUser),
		},
		{
			name: 'hostId',
			...hostIdField,
			...(hostId !== '' && {hint: 'a UUID'}),
			start: hostId,
			check: unless(hostId, value => (value === '' ? cannotClear('host id', 'it') : checkHostId(value))),
		},
	];
}
