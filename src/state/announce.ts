import {type Progress, progress} from '../domain/provisioning.ts';
import type {Connection} from './connection.ts';
import type {Fleet} from './fleet.ts';
import type {Notice} from './notices.ts';
import {shortId} from './session-items.ts';

/** What is worth a notice in a change of the computers: one is up, one is in error, a step failed. */
export function computerNews(
	before: Fleet['computers'],
	after: Fleet['computers'],
	now: number,
): Omit<Notice, 'id'>[] {
	const news: Omit<Notice, 'id'>[] = [];
	for (const [id, {computer}] of after) {
		const old = before.get(id)?.computer;
		if (!old || !computer || old === computer) continue;
		const name = computer.name || shortId(id);
		const step = failedStep(computer, now);
		if (step !== undefined && failedStep(old, now) === undefined)
			news.push({tone: 'bad', text: `${name}: ${step} failed; R runs the install again`, at: now});
		else if (old.status === 'provisioning' && computer.status === 'active')
			news.push({tone: 'good', text: `${name} is up: s opens a session on it`, at: now});
		else if (old.status !== 'error' && computer.status === 'error')
			news.push({tone: 'bad', text: `${name} could not be provisioned`, at: now});
	}
	return news;
}

/** Nothing can be kept from now on: why, and what to do. */
export function storageNews(before: Connection, {storage}: Connection): Omit<Notice, 'id'> | undefined {
	if (!storage || storage.what === before.storage?.what) return undefined;
	return {tone: 'bad', text: storage.what, at: storage.at, isLasting: true};
}

function failedStep(computer: Parameters<typeof progress>[0], now: number): string | undefined {
	const {failed}: Progress = progress(computer, () => undefined, now);
	return failed && (failed.step.name ?? 'a step');
}
