import {providerTitles} from '../../domain/computers/computer.ts';
import {folderOf, isArchived} from '../../domain/known.ts';
import type {Filterable} from '../../domain/list-filter/filter.ts';
import type {AttentionMark} from '../../domain/sessions/attention.ts';
import {computerColumns, computerRow} from '../computers/computer-columns.ts';
import type {ComputerItem} from '../computers/computer-items.ts';
import {fieldOf, fieldsOf} from '../rows/column.ts';
import {rememberEach} from '../rows/remember.ts';
import {sessionColumns, sessionRow} from '../sessions/session-columns.ts';
import type {SessionItem} from '../sessions/session-items.ts';
import {nameByState} from '../sessions/session-look.ts';
import {isWaiting} from './lists.ts';

/** Filterable forms of list rows, each cached as long as its row is unchanged. */
export type Filterables = {
	session(item: SessionItem): Filterable;
	computer(item: ComputerItem): Filterable;
};

export function createFilterables(): Filterables {
	return {session: rememberEach(ofSession), computer: rememberEach(ofComputer)};
}

/** The columns that are terms of the filter of both lists. */
export const listFields = fieldsOf([...sessionColumns, ...computerColumns]);

/** The state itself, the service's word for it, and the group under which the header counts it. */
function statesOf({state, group, word, mark}: SessionItem): string[] {
	return [
		nameByState[state],
		...(word === undefined ? [] : [word.toLowerCase()]),
		...(group === 'needs' ? ['waiting'] : []),
		...markWords(mark),
	];
}

function ofSession(item: SessionItem): Filterable {
	const {id, name, client, known, signal, computerName, computerId, reason} = item;
	const folder = folderOf(known) ?? signal?.cwd;
	const row = sessionRow(item);
	return {
		text: lower(
			[name, id, folder, client, known?.session?.title, nameByState[item.state], computerName, reason]
				.filter(Boolean)
				.join('\n'),
		),
		states: statesOf(item),
		tags: row.tags,
		is: [
			...(item.isPinned ? (['pinned'] as const) : []),
			...(isArchived(known) ? (['archived'] as const) : []),
			...(client === undefined ? [] : (['local'] as const)),
		],
		computer: computerName ?? computerId,
		model: row.model,
		folder,
		column: name => fieldOf(sessionColumns, row, name),
	};
}

/** Filter words for how the user handled a session or computer that needs them. */
function markWords(mark: AttentionMark | undefined): string[] {
	return mark ? [mark.kind === 'snoozed' ? 'snoozed' : 'acknowledged'] : [];
}

function ofComputer(item: ComputerItem): Filterable {
	const {id, name, known, isFailed, isStuck, isStarting, mark} = item;
	const {computer} = known;
	const provider = computer?.providerType ?? '';
	const status = isStarting ? 'provisioning' : computer?.status;
	return {
		text: lower(
			[name, id, computer?.hostname, provider, providerTitles.get(provider)?.title]
				.filter(Boolean)
				.join('\n'),
		),
		states: [
			lower(status ?? '?'),
			...(isFailed ? ['failed'] : []),
			...(isStuck ? ['stuck'] : []),
			...(isWaiting(item) ? ['waiting'] : []),
			...markWords(mark),
		],
		computer: name,
		column: column => fieldOf(computerColumns, computerRow(item), column),
	};
}

const lower = (text: string) => text.toLowerCase();
