import {ownProgram} from '../../domain/own-program.ts';
import {counted} from '../cli/strings.ts';

/** What the `hooks` commands and `events` print besides tables and JSON. */
export const strings = {
	chosenFiles: {
		noScope: (client: string, scope: string) => `${client} has no ${scope} settings: omit --scope`,
		noClient: (names: string) => `no client was found on this machine: choose one with --client ${names}`,
		notRead: (client: string, path: string, other: string | undefined) =>
			`${client} doesn't read hooks from ${path}: use ${other} in the same folder`,
		oneFile: '--settings takes one file: add one --client',
		unclearClient: (path: string) => `can't tell which client ${path} belongs to: add --client NAME`,
	},
	change: {
		question: (count: number, answers: boolean) =>
			`Change ${count === 1 ? 'this file' : `these ${count} files`}${answers ? ' and let Quarterdeck answer permission prompts' : ''}?`,
		takesEffect: 'It takes effect in sessions that start from now on: restart those that run.',
		declined: 'nothing was changed',
		wrote: (file: string, backup: string | undefined) => `wrote ${file}${backupText(backup)}`,
		launcher: (file: string) => `Quarterdeck  ${file}: write, for the clients to run`,
		removed: (file: string, backup: string | undefined) => `removed ${file}${backupText(backup)}`,
		nothing: 'nothing to change',
		noneInstalled: 'no hooks are installed: nothing to remove',
		refused: (reason: string) => `not changed: ${reason}`,
		add: (events: string) => `add ${events}`,
		upgrade: (events: string) => `upgrade ${events}`,
		remove: (events: string) => `remove ${events}`,
		file: (client: string, path: string, change: string) => `${client}  ${path}: ${change}`,
		noAnswers: (clients: string) => `--answer is only for ${clients}: choose it with --client`,
		needsAnswer: '--answer-minutes is only for --answer',
		consent: (minutes: number) => [
			"With --answer you can allow or deny the agent's permission prompts in Quarterdeck.",
			`The client shows its own prompt, too, and the first answer counts; after ${counted(minutes, 'minute')} you can answer only there.`,
			"The agent's command or change is then sent to your running Quarterdecks, which keep it in memory only.",
			'hooks uninstall, or hooks install without --answer, turns this off.',
		],
		noneFound: (titles: string) =>
			`No agent client was found on this machine. Hooks are for these, once they have run here: ${titles}.`,
		afterwards: (client: string, advice: string) => `${client}: ${advice}`,
	},
	turnedOff: (client: string, name: string, file: string) =>
		`${client} has hooks turned off: ${name} in ${file}`,
	skipped: (client: string, file: string) =>
		`${client} skips ${file}, hooks included, for its comments: remove them`,
	status: {
		unreadable: (problem: string) => `can't be read: ${problem}`,
		noClients: (names: string) =>
			`no agent client was found on this machine: start one first, or run ${ownProgram} hooks install --client ${names}`,
		noFile: 'no file',
		ignored: 'ignored: another file takes precedence',
		notInstalled: 'not installed',
		installed: 'installed',
		overridden: 'installed, but another file takes precedence',
		stale: (events: string) => `outdated: ${events}`,
		missing: (events: string) => `missing: ${events}`,
		duplicate: (events: string) => `duplicate: ${events}`,
		gone: (paths: string) => `program is gone or can't be run: ${paths}`,
		install: (faults: string, options: string) => `${faults}; run ${ownProgram} hooks install${options}`,
		narrowed: (state: string, events: string) => `${state}; a matcher restricts ${events}`,
		repeated: (client: string, events: string) =>
			`${client} runs our hook more than once, from several files: ${events}`,
		answers: (client: string, minutes: number) =>
			`${client}: permission prompts can be answered here, for ${counted(minutes, 'minute')}`,
		answersOff: (client: string) =>
			`${client}: permission prompts are answered only in the client (hooks install --answer changes that)`,
		listening: (processes: string) => `programs listening: ${processes}`,
		process: (ids: string) => `process ${ids}`,
		none: 'none',
		leftSockets: (count: number) => `; sockets left behind: ${count}`,
		spool: (events: number, size: string) => `waiting in the spool: ${counted(events, 'event')}, ${size}`,
		lastEvent: (client: string, event: string, age: string) =>
			`last event of ${client}: ${event}, ${age} ago`,
		unnamedClient: 'an unnamed client',
		undetectable: (client: string, what: string) => `${client}: can't detect ${what}`,
		unreadableEvents: (problem: string) => `the saved events can't be read: ${problem}`,
	},
	test: {
		notInstalled: `no hook is installed: run ${ownProgram} hooks install`,
		result: (client: string, path: string, what: string, ms: number) =>
			`${client}  ${path}  ${what}  ${ms} ms`,
	},
	events: {
		none: 'no hook events yet',
		unreadableSpool: (problem: string) => `the spool can't be read: ${problem}`,
	},
};

function backupText(backup: string | undefined): string {
	return backup === undefined ? '' : `; backup: ${backup}`;
}
