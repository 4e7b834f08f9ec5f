import {sessionItems} from '../state/sessions/session-items.ts';
import type {Stores} from '../state/stores.ts';
import {cleanLine} from '../text/cells/clean.ts';
import {strings} from './strings.ts';

/** Longest list of names, in columns. */
const maxNames = 60;

/** What is said once the screen is closed: messages that wait here, and agents at work on other machines. Whole lines. */
export function closingNote({fleet, outbox}: Stores): string {
	const queued = [...outbox.getState().bySession.values()].flat().filter(({state}) => state === 'queued');
	const {computers} = fleet.getState();
	const elsewhere = sessionItems(fleet.getState(), outbox.getState()).filter(
		({state, computerId = ''}) => state === 'working' && computers.get(computerId)?.computer?.host,
	);
	const names = [...new Set(elsewhere.map(({computerName = ''}) => computerName))].join(', ');
	return [
		...(queued.length > 0 ? [strings.queued(queued.length)] : []),
		...(elsewhere.length > 0 ? [strings.goOn(elsewhere.length, cleanLine(names, maxNames))] : []),
	]
		.map(line => `${line}\n`)
		.join('');
}
