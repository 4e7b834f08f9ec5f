import type {ServiceRequest} from '../../state/dialogs.ts';
import type {Fleet} from '../../state/fleet.ts';
import {changeComputer, newComputer} from './computer-fields.ts';
import {daysForm} from './days-form.ts';
import {exportForm} from './export-form.ts';
import {checkId} from './form-checks.ts';
import {newSession, sessionFields} from './session-fields.ts';

/** One field of a form. `check` answers what is wrong with a value, as it is typed. */
export type Field = {
	readonly name: string;
	readonly label: string;
	readonly hint: string;
	readonly start: string;
	/** Its value never shows, however it is drawn. */
	readonly isSecret?: boolean;
	/** Present: one of these; the keys left, right and space go through them. */
	readonly choices?: readonly {readonly value: string; readonly label: string; readonly key?: string}[];
	readonly check?: (value: string, values: Readonly<Record<string, string>>) => string | undefined;
	/** What it is as long as the user typed nothing else: made of the other values. */
	readonly follows?: (values: Readonly<Record<string, string>>) => string;
	/** Most characters it may have: how many it has stands beside the hint. */
	readonly maxLength?: number;
	/** The parts of a value that is a list, each with what is wrong with it: they stand under it as it is typed. */
	readonly items?: (value: string) => readonly FieldItem[];
};

export type FieldItem = {readonly text: string; readonly problem: string | undefined};

export type FormSpec = {
	readonly title: string;
	readonly submit: string;
	/** What is told while it is done; absent: that the service is asked. */
	readonly busy?: string;
	readonly fields: readonly Field[];
	/** Present: what is asked depends on what was chosen; fields before the choice stay where they are. */
	readonly fieldsOf?: (values: Readonly<Record<string, string>>) => readonly Field[];
};

/** The fields of a form, with what they start with. */
export function formSpec(request: ServiceRequest, fleet: Fleet, userName: string): FormSpec {
	switch (request.name) {
		case 'new-computer':
			return {title: 'New computer', submit: 'Create', fields: newComputer(userName)};
		case 'edit-computer': {
			const computer = fleet.computers.get(request.computerId)?.computer;
			return {title: 'Change computer', submit: 'Change', fields: changeComputer(computer)};
		}
		case 'new-session':
			return {title: 'New session', submit: 'Open', fields: newSession(fleet, request.computerId)};
		case 'rename-session':
			return {
				title: 'Rename session',
				submit: 'Rename',
				fields: sessionFields(fleet.sessions.get(request.sessionId)).filter(({name}) => name === 'name'),
			};
		case 'edit-session':
			return {
				title: 'Change session',
				submit: 'Change',
				fields: sessionFields(fleet.sessions.get(request.sessionId)),
			};
		case 'export':
			return exportForm(request);
		case 'days':
			return daysForm(request);
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
						hint: 'as shown by the service or the web app',
						start: '',
						check: checkId,
					},
				],
			};
	}
}
