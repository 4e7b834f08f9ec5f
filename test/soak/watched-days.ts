import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {formatDay, watchDay} from '../support/watched-day.ts';
import {Failures, type Finding, lengthOf, type Part} from './part.ts';

const hours = lengthOf('SOAK_WATCH_HOURS', 24, 1);
const sessions = lengthOf('SOAK_WATCH_SESSIONS', 1_000, 1_000);
/** Minutes of storm in each hour. */
const storms = [0, 10] as const;

/** W1: sessions that nobody has open over a day of fake time, without and with rate limits. */
export const watchedDays: Part = {
	name: 'W1',
	title: 'a simulated day of 1,000 sessions: the budget holds, none is lost, the open one is polled',
	async run(progress) {
		const failed = new Failures();
		const findings: Finding[] = [];
		for (const [index, stormMinutes] of storms.entries()) {
			const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-watch-'));
			const onHour = (done: number) => progress(index * hours + done, storms.length * hours);
			const report = await watchDay({folder, sessions, hours, stormMinutes, onHour});
			rmSync(folder, {recursive: true, force: true});
			findings.push({what: `${stormMinutes} minutes of storm an hour: ${formatDay(report)}`, value: ''});
			const misses = {
				'more than the budget in a minute': report.mostInMinute > report.allowedInMinute,
				'more than the budget in ten minutes': report.mostInTenMinutes > report.allowedInTenMinutes,
				'first contact too late': !(report.firstContact <= report.allowedFirstContact),
				'a session was not read for too long': report.worstAge > report.allowedAge,
				'the open session was not polled for 15 s': report.worstOpenAge > 15_000,
				'an archived session was read': report.archivedRequests > 0,
				'a message was not seen': report.unseen > 0,
			};
			for (const [what, isMissed] of Object.entries(misses)) if (isMissed) failed.add(what);
		}
		return [...findings, failed.finding('goals missed')];
	},
};
