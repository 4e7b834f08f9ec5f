import {titleOf} from '../../../domain/known.ts';
import type {Fleet} from '../../../state/fleet.ts';
import type {ServiceForm} from '../../../state/view/dialogs.ts';
import {strings as diffStrings} from '../diff/strings.ts';
import {changeComputer, firstComputer, newComputer} from './computer-fields.ts';
import {daysForm} from './days-form.ts';
import {exportForm} from './export-form.ts';
import {ifBlank} from './form-checks.ts';
import {newSession, sessionFields, tagForm} from './session-fields.ts';
import {strings} from './strings.ts';

/** One form field. `check` returns the problem with a value and runs on each change. */
export type Field = {
	readonly name: string;
	readonly label: string;
	readonly hint: string;
	/** Explains the value, behind it, while another field has the focus and there is room. */
	readonly aside?: string;
	/** The initial text; typing replaces it, unless it is a list. */
	readonly start: string;
	/** The value is masked. */
	readonly isSecret?: boolean;
	/**
	 * When present, the value must be one of these; left, right and space cycle through them. `note` is the
	 * contract's word for it.
	 */
	readonly choices?: readonly {
		readonly value: string;
		readonly label: string;
		readonly note?: string;
		readonly key?: string;
	}[];
	/** Why the field means nothing beside these values; shown instead of its choices, which no key reaches. */
	readonly unusedNow?: (values: Readonly<Record<string, string>>) => string | undefined;
	/** More choices are being read: keys on the field wait for them. */
	readonly isReading?: boolean;
	readonly check?: (value: string, values: Readonly<Record<string, string>>) => string | undefined;
	/** Derives the value from the other fields until the user edits it. */
	readonly follows?: (values: Readonly<Record<string, string>>) => string;
	/** Longest value, in characters; the current length is shown beside the hint. */
	readonly maxLength?: number;
	/** Splits a list value into items, each with its problem; they are listed below the field. */
	readonly items?: (value: string) => readonly FieldItem[];
};

export type FieldItem = {readonly text: string; readonly problem: string | undefined};

export type FormSpec = {
	readonly title: string;
	readonly submit: string;
	/** A sentence above the fields. */
	readonly intro?: string;
	/** Describes the work while submitting; by default, waiting for the service. */
	readonly busy?: string;
	readonly fields: readonly Field[];
	/**
	 * When present, the fields depend on the selected choices; fields before the choice keep their position.
	 */
	readonly fieldsOf?: (values: Readonly<Record<string, string>>) => readonly Field[];
	/**
	 * When a field is left or the form submitted: the values with what was typed into the wrong field moved to the right
	 * one, at the same position; undefined if nothing was.
	 */
	readonly moved?: (values: Readonly<Record<string, string>>) => Readonly<Record<string, string>> | undefined;
};

/** The fields of a form and their initial values. */
export function formSpec(request: ServiceForm, fleet: Fleet, userName: string): FormSpec {
	switch (request.name) {
		case 'new-computer':
			if (request.isForSession) return firstComputer(fleet, userName);
			return {...strings.computer.create, fields: newComputer(fleet, userName)};
		case 'edit-computer': {
			const computer = fleet.computers.get(request.computerId)?.computer;
			return {...strings.computer.edit, fields: changeComputer(computer)};
		}
		case 'new-session':
			return {...strings.session.create, fields: newSession(fleet, request.computerId)};
		case 'rename-session': {
			const known = fleet.sessions.get(request.sessionId);
			const fields = sessionFields(known).filter(({name}) => name === 'name');
			const start = known?.name ?? (known && titleOf(known)) ?? '';
			return {...strings.session.rename, fields: fields.map(field => ({...field, start}))};
		}
		case 'edit-session':
			return {...strings.session.edit, fields: sessionFields(fleet.sessions.get(request.sessionId))};
		case 'tag-sessions':
			return tagForm(request.sessionIds, fleet);
		case 'commit': {
			const form = diffStrings.commit;
			return {
				...form.form(request.files, request.branch),
				fields: [
					{name: 'message', ...form.message, start: '', check: ifBlank(form.noMessage)},
					{name: 'more', ...form.more, start: ''},
				],
			};
		}
		case 'pull-request': {
			const form = diffStrings.pullRequest;
			return {
				...form.form(request.branch),
				fields: [
					{name: 'title', ...form.title, start: '', check: ifBlank(form.noTitle), maxLength: 250},
					{name: 'body', ...form.body, start: ''},
				],
			};
		}
		case 'export':
			return exportForm(request);
		case 'days':
			return daysForm(request);
		case 'add':
			return {
				...strings.add.form,
				fields: [
					{
						name: 'what',
						...strings.add.what,
						start: request.what,
						choices: [
							{value: 'computer', label: strings.add.computer, key: 'c'},
							{value: 'session', label: strings.add.session, key: 's'},
						],
					},
					{name: 'id', ...strings.add.id, start: '', check: ifBlank(strings.add.noId)},
				],
			};
	}
}
