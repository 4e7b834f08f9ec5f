import type {Fleet} from '../../state/fleet.ts';
import type {FormRequest} from '../../state/view.ts';
import {checkCwd, checkHostId, checkId, checkName, checkRemoteUser, checkRepos} from './form-checks.ts';
import {sessionFields} from './session-fields.ts';

/** One field of a form. `check` answers what is wrong with a value, as it is typed. */
export type Field = {
	readonly name: string;
	readonly label: string;
	readonly hint: string;
	readonly start: string;
	/** Present: one of these; the keys left, right and space go through them. */
	readonly choices?: readonly {readonly value: string; readonly label: string; readonly key?: string}[];
	readonly check?: (value: string) => string | undefined;
};

export type FormSpec = {readonly title: string; readonly submit: string; readonly fields: readonly Field[]};

const yesNo = [
	{value: 'yes', label: 'yes', key: 'y'},
	{value: 'no', label: 'no', key: 'n'},
] as const;

/** The fields of a form, with what they start with. */
export function formSpec(request: FormRequest, fleet: Fleet, userName: string): FormSpec {
	switch (request.name) {
		case 'new-computer':
			return {title: 'New computer', submit: 'Create', fields: newComputer(userName)};
		case 'edit-computer': {
			const computer = fleet.computers.get(request.computerId)?.computer;
			return {
				title: 'Change computer',
				submit: 'Change',
				fields: [
					{
						name: 'name',
						label: 'Name',
						hint: '1 to 63 characters',
						start: computer?.name ?? '',
						check: checkName,
					},
					{
						name: 'remoteUser',
						label: 'Remote user',
						hint: '1 to 63 characters',
						start: computer?.remoteUser ?? '',
						check: checkRemoteUser,
					},
					{
						name: 'hostId',
						label: 'Host id',
						hint: 'a UUID; empty leaves it as it is',
						start: computer?.hostId ?? '',
						check: checkHostId,
					},
				],
			};
		}
		case 'new-session':
			return {title: 'New session', submit: 'Open', fields: newSession(fleet, request.computerId)};
		case 'edit-session':
			return {
				title: 'Change session',
				submit: 'Change',
				fields: sessionFields(fleet.sessions.get(request.sessionId)),
			};
		case 'add':
			return {
				title: 'Add by id',
				submit: 'Add',
				fields: [
					{
						name: 'what',
						label: 'What',
						hint: 'c computer, s session',
						start: request.what,
						choices: [
							{value: 'computer', label: 'computer', key: 'c'},
							{value: 'session', label: 'session', key: 's'},
						],
					},
					{
						name: 'id',
						label: 'Id',
						hint: 'as the service or the web app shows it',
						start: '',
						check: checkId,
					},
				],
			};
	}
}

function newComputer(userName: string): Field[] {
	return [
		{name: 'name', label: 'Name', hint: '1 to 63 characters', start: '', check: checkName},
		{
			name: 'remoteUser',
			label: 'Remote user',
			hint: 'who sessions run as, 1 to 63 characters',
			start: userName,
			check: checkRemoteUser,
		},
		{
			name: 'repos',
			label: 'Repositories',
			hint: 'addresses with spaces between, at most 20; may be empty',
			start: '',
			check: checkRepos,
		},
		{
			name: 'autoInstallDeps',
			label: 'Install deps',
			hint: 'installs the dependencies of the repositories',
			start: 'yes',
			choices: yesNo,
		},
		{
			name: 'provider',
			label: 'Provider',
			hint: 'where the machine comes from; unset lets the service choose',
			start: '',
			choices: [
				{value: '', label: 'unset'},
				{value: 'byom', label: 'byom', key: 'b'},
				{value: 'e2b', label: 'e2b', key: 'e'},
			],
		},
		{name: 'hostId', label: 'Host id', hint: 'a UUID; may be empty', start: '', check: checkHostId},
	];
}

function newSession(fleet: Fleet, computerId: string | undefined): Field[] {
	const computers = [...fleet.computers.values()].map(({id, computer}) => ({
		value: id,
		label: computer?.name || id,
	}));
	return [
		{
			name: 'computerId',
			label: 'Computer',
			hint: computers.length > 1 ? 'left and right choose' : 'where it runs',
			start: computerId ?? computers[0]?.value ?? '',
			choices: computers,
		},
		{
			name: 'cwd',
			label: 'Folder',
			hint: 'working directory on the computer; may be empty',
			start: '',
			check: checkCwd,
		},
		{name: 'model', label: 'Model', hint: "empty: the service's default", start: ''},
	];
}
