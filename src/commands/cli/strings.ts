import {localProfile} from '../../domain/accounts/profile.ts';
import {ownProgram} from '../../domain/own-program.ts';

const didYouMean = (meant: string | undefined) => (meant === undefined ? '' : ` (did you mean ${meant}?)`);

/** What any command can print. What each one prints is in the `strings.ts` of its folder; help is in `table.ts`. */
export const cliStrings = {
	usage: {
		unknownCommand: (name: string, meant?: string) =>
			`unknown command ${name}${didYouMean(meant)}: see ${ownProgram} --help`,
		unknownTopic: (name: string) => `no topic or command ${name}: see ${ownProgram} help`,
		needsVerb: (group: string, verbs: string, meant?: string) =>
			`${group} needs one of ${verbs}${didYouMean(meant)}: see ${ownProgram} ${group} --help`,
		wrongArguments: (usage: string, advice?: string) =>
			advice ? `wrong number of arguments. ${advice} ${usage}` : `wrong number of arguments: ${usage}`,
		emptyId: 'the ID is empty',
		unknownFlag: (flag: string, help: string) =>
			`unknown flag ${flag}: see ${help} (put text that starts with a dash after --)`,
		missingFlags: (flags: readonly string[], command: string) =>
			`${flags.join(' and ')} ${flags.length === 1 ? 'is' : 'are'} missing: see ${ownProgram} ${command} --help`,
		noValue: (flag: string) => `${flag} takes no value`,
		needsValue: (flag: string, value: string) => `${flag} needs a value: ${flag}=${value}`,
		wrongValue: (flag: string, value: string, wanted: string) => `${flag} is ${value}: it must be ${wanted}`,
		oneOf: (names: readonly string[]) => (names.length === 1 ? `${names[0]}` : `one of ${names.join(', ')}`),
		wholeNumber: (min: number, max: number) => `a whole number from ${min} to ${max}`,
		needsFlag: (flag: string, other: string) => `${flag} works only with ${other}`,
		conflict: (one: string, other: string) => `${one} and ${other} can't be used together`,
		notJson: (flag: string) => `${flag} is not JSON`,
		unreadableFile: (flag: string, problem: string) => `${flag}: ${problem}`,
		givenTwice: (name: string, flag: string) =>
			`${name} is in ${flag} and in a flag of its own: give it once`,
		unknownView: (name: string, views: string) => `unknown view ${name}: the views are ${views}`,
		unknownShell: (name: string) => `no completion for ${name}: choose bash, zsh or fish`,
	},
	confirm: {
		noTerminal: (advice: string) => `there is no terminal to ask for confirmation: ${advice}`,
		json: (advice: string) => `--json can't ask for confirmation: ${advice}`,
		addYes: 'add --yes',
		addYesOrDryRun: 'add --yes, or --dry-run to preview',
	},
	run: {
		interrupted: 'interrupted',
		assumed:
			"assuming that the agent is done: it has been silent, and the service can't be asked whether its turn is over",
		retrying: (problem: string) => `${problem} Retrying.`,
		unwritable: (reason: string | undefined) =>
			`stdout can't be written (${reason}): the output is incomplete`,
		unwritableReasons: {
			ENOSPC: 'disk full',
			EDQUOT: 'disk quota reached',
			EFBIG: 'file too large',
			EBADF: 'it is closed',
		},
		folderRemoved: (home: string) => `the working directory was removed: using ${home}`,
		noDebugLog: (problem: string) => `no debug log: ${problem}`,
		debugLog: (path: string) => `writing the debug log to ${path}`,
		newKey: (profile: string) =>
			`profile ${profile} has a new key, which opens the same account as before. If it is another organization's: ${ownProgram} accounts use new`,
		otherProfile: (profile: string, left: string) =>
			`using profile ${profile}; the screen was last in ${left}: ${left === localProfile ? '--local' : `--profile ${left}`} uses that`,
	},
	storage: {
		notSaved: (problem: string) => `this can't be saved: ${problem}`,
		unreadable: (problem: string | undefined) => `saved data can't be read: ${problem}`,
		unchanged: (problem: string) => `nothing was changed: ${problem}`,
	},
	registry: {
		noAnswer: 'no result so far',
		notChecked: (id: string, why: string) => `not checked whether the service has ${id}: ${why}`,
		forgot: (what: string, id: string) => `removed the ${what} ${id} from the list`,
		unknown: (what: string, id: string) => `unknown ${what} ${id}: see ${ownProgram} ${what}s list`,
		sameName: (name: string, ids: readonly string[]) =>
			`several computers are called ${name}: use an id: ${ids.join(', ')}`,
		severalSessions: (word: string, sessions: readonly (readonly [id: string, title: string])[]) => {
			const named = sessions.slice(0, 10).map(([id, title]) => (title === '' ? id : `${id} (${title})`));
			const more = sessions.length - named.length;
			return `"${word}" names several sessions: ${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
		},
	},
	undelivered: {
		queued:
			'The message is saved: the next send to this session, or the screen, sends it. Repeating the command does not send it twice.',
		refusedKey:
			'The message is saved: the next send to this session with a key of the same account, or the screen, sends it.',
		failed: `The message is saved as failed: repeat the command or use ${ownProgram} outbox resend to try again.`,
	},
};

/** `1 session`, `2 sessions`. */
export function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
