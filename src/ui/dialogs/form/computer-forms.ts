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
import {checkHostId, checkName, checkRemoteUser, checkRepos, reposOf, unless} from './form-checks.ts';
import {strings} from './strings.ts';

const text = strings.computer;

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
		intro: text.firstIntro,
	};
}

function createForm(parts: AppParts, show: (created: Result<string>) => FormResult): Form {
	const fields = newFields(parts);
	// Only the embedded service connects to other machines.
	const where = parts.profile.host === undefined ? whereField() : undefined;
	return {
		...text.create,
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
			const question = {title: text.copy.title(title), text: text.copy.text(title), yes: make};
			return {isDone: false, what: question.text, question};
		},
	};
}

/** Where the computer is: here, a host that ssh knows, another one, or whatever a command reaches. */
function whereField(): Field {
	return {
		name: 'where',
		...text.where,
		start: '',
		choices: [
			{value: '', label: text.here},
			...configuredHosts().map(host => ({value: host, label: host})),
			{value: otherHost, label: text.otherHost},
			{value: byCommand, label: text.byCommand},
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
		...text.ssh,
		start: '',
		check: value => {
			if (value.trim() === '') return text.noHost;
			const problem = hostProblem(value.trim());
			return problem && text.ofHost(problem);
		},
	};
	const command: Field = {
		name: 'command',
		...text.command,
		start: '',
		check: value => {
			if (value.trim() === '') return text.noCommand;
			const problem = commandProblem(value);
			return problem && text.ofCommand(problem);
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
			...text.name,
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
			...text.user,
			maxLength: remoteUserLength.max,
			start: program.userName,
			check: checkRemoteUser,
		},
		{
			name: 'repos',
			...text.repos(repoCount),
			start: '',
			check: checkRepos,
			isList: true,
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
				{value: 'byom', label: text.ownMachine, key: 'b'},
				{value: 'e2b', label: text.cloudSandbox, key: 'e'},
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
			...text.edit,
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
