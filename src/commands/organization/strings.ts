import {ownProgram} from '../../domain/own-program.ts';

/** What the organization's commands print besides tables, CSV and JSON. */
export const strings = {
	controls: {
		none: 'no changes to the settings yet',
		embedded: `the embedded service has no organization; your own settings are in the configuration file: see ${ownProgram} help configuration`,
		noSettings: 'no settings yet',
		noneContains: (setting: string) => `no revision contains ${setting}`,
		noneChanged: (setting: string) => `no revision changed ${setting}`,
	},
	readiness: {
		none: (repository: string) => `there is no readiness report for ${repository}`,
		noReports: 'no readiness reports yet',
	},
	usage: {
		noUsers: 'the service lists no activity of users on these days',
		wrongDay: (flag: string, problem: string) => `--${flag}: ${problem}`,
		notMonth: (month: string) => `${month} is not a month, YYYY-MM`,
		today: (day: string) => `${day} isn't over: its data isn't complete`,
		readingGroups: 'reading usage by group',
		progress: (done: string, total: string | undefined, unit: string) =>
			total === undefined ? `${done} ${unit}` : `${done} of ${total} ${unit}`,
	},
	users: {
		noUsers: 'the service lists no users',
		none: (words: string) => `no user's id, email or name contains ${words}`,
	},
};
