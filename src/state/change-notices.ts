import type {Computer, ProvisioningStep} from '../domain/computers/computer.ts';
import {progress, tellingLine} from '../domain/computers/provisioning.ts';
import {maskText} from '../domain/masking.ts';
import type {Connection} from './connection.ts';
import type {Fleet} from './fleet.ts';
import type {Notice} from './notices.ts';
import {shortId} from './sessions/session-items.ts';

/** Notices for changes to computers: one is up, one is in error, a step failed. */
export function computerNotices(
	before: Fleet['computers'],
	after: Fleet['computers'],
	now: number,
	latest: () => Fleet['computers'],
): Omit<Notice, 'id'>[] {
	const notices: Omit<Notice, 'id'>[] = [];
	for (const [id, {computer}] of after) {
		const old = before.get(id)?.computer;
		if (!old || !computer || old === computer) continue;
		const name = computer.name || shortId(id);
		const step = failedStep(computer, now);
		const add = (tone: Notice['tone'], text: string, isSo: (current: Computer) => boolean) => {
			const current = () => latest().get(id)?.computer;
			notices.push({tone, text, at: now, isCurrent: () => isSo(current() ?? {id})});
		};
		if (step && !failedStep(old, now))
			add('bad', `${name}: ${failure(step)}`, current => failedStep(current, now) !== undefined);
		else if (old.status === 'provisioning' && computer.status === 'active')
			add('good', `${name} is up`, ({status}) => status === 'active');
		else if (old.status !== 'error' && computer.status === 'error')
			add('bad', `${name} could not be provisioned`, ({status}) => status === 'error');
	}
	return notices;
}

export function storageNotice(
	before: Connection,
	{storage}: Connection,
	latest: () => Connection,
): Omit<Notice, 'id'> | undefined {
	if (!storage || storage.what === before.storage?.what) return undefined;
	const {what, at} = storage;
	return {tone: 'bad', text: what, at, isCurrent: () => latest().storage?.what === what};
}

export function incidentNotices(
	before: Connection,
	{incidents = []}: Connection,
	latest: () => Connection,
): Omit<Notice, 'id'>[] {
	const known = new Set(before.incidents?.map(({what}) => what));
	return incidents
		.filter(({what}) => !known.has(what))
		.map(({what, at}) => ({
			tone: 'bad',
			text: what,
			at,
			isCurrent: () => latest().incidents?.some(one => one.what === what) === true,
		}));
}

function failedStep(computer: Computer, now: number): ProvisioningStep | undefined {
	return progress(computer, () => undefined, now).failed?.step;
}

/** The failed step, with the most telling line of its error, if any; without secrets. */
function failure({name = 'a step', error}: ProvisioningStep): string {
	const why = tellingLine(error);
	return maskText(why ? `${name} failed: ${why}` : `${name} failed`);
}
