import type {Computer, ProvisioningStep} from '../domain/computers/computer.ts';
import {progress} from '../domain/computers/provisioning.ts';
import type {Connection} from './connection.ts';
import type {Fleet} from './fleet.ts';
import type {Notice} from './notices.ts';
import {shortId} from './session-items.ts';

/** Notices for changes to computers: one is up, one is in error, a step failed. */
export function computerNotices(
	before: Fleet['computers'],
	after: Fleet['computers'],
	now: number,
): Omit<Notice, 'id'>[] {
	const notices: Omit<Notice, 'id'>[] = [];
	for (const [id, {computer}] of after) {
		const old = before.get(id)?.computer;
		if (!old || !computer || old === computer) continue;
		const name = computer.name || shortId(id);
		const step = failedStep(computer, now);
		if (step && !failedStep(old, now))
			notices.push({tone: 'bad', text: `${name}: ${failure(step)}`, at: now});
		else if (old.status === 'provisioning' && computer.status === 'active')
			notices.push({tone: 'good', text: `${name} is up`, at: now});
		else if (old.status !== 'error' && computer.status === 'error')
			notices.push({tone: 'bad', text: `${name} could not be provisioned`, at: now});
	}
	return notices;
}

/** A notice that the database has become unwritable. */
export function storageNotice(before: Connection, {storage}: Connection): Omit<Notice, 'id'> | undefined {
	if (!storage || storage.what === before.storage?.what) return undefined;
	return {tone: 'bad', text: storage.what, at: storage.at, isLasting: true};
}

/** Notices for new incidents with the database file. */
export function incidentNotices(before: Connection, {incidents = []}: Connection): Omit<Notice, 'id'>[] {
	const known = new Set(before.incidents?.map(({what}) => what));
	return incidents
		.filter(({what}) => !known.has(what))
		.map(({what, at}) => ({tone: 'bad', text: what, at, isLasting: true}));
}

function failedStep(computer: Computer, now: number): ProvisioningStep | undefined {
	return progress(computer, () => undefined, now).failed?.step;
}

/** The failed step, with the first line of its error, if any. */
function failure({name = 'a step', error}: ProvisioningStep): string {
	const why = error?.trim().split('\n', 1)[0];
	return why ? `${name} failed: ${why}` : `${name} failed`;
}
