/** What the organization's commands print besides tables, CSV and JSON. */
export const strings = {
	controls: {
		noneContains: (setting: string) => `no revision contains ${setting}`,
		noneChanged: (setting: string) => `no revision changed ${setting}`,
		unordered: (count: number) =>
			`${count} revisions arrived out of order and are missing here: run this again`,
	},
	readiness: {
		none: (repository: string) => `there is no readiness report for ${repository}`,
		tooMany: (count: number) => `too many reports to compare: only the first ${count} were read`,
	},
	usage: {
		wrongRange: (problem: string) => `--from and --to: ${problem}`,
		readingGroups: 'reading usage by group',
		progress: (done: string, total: string | undefined, unit: string) =>
			total === undefined ? `${done} ${unit}` : `${done} of ${total} ${unit}`,
	},
	users: {
		none: (words: string) => `no user's id, email or name contains ${words}`,
	},
};
