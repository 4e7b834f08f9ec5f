import {ownProgram} from '../domain/own-program.ts';
import type {WorktreeRemoval} from '../domain/sessions/work-folder.ts';
import {type Safe, safe} from '../text/cells/safe.ts';
import {keyed} from './kit/strings.ts';

const computers = (count: number) => (count === 1 ? '1 computer' : `${count} computers`);
const agents = (count: number) => (count === 1 ? '1 agent' : `${count} agents`);

/** The strings of the files of `src/ui/` itself: notices, questions and notifications. */
export const strings = {
	newKey: {
		sameTitle: 'Same organization?',
		same: (name: string) =>
			`The key in QUARTERDECK_API_KEY is new here. Does it belong to the organization of account ${name}? Yes opens that account. No gives the key an account of its own, which shares nothing. ${ownProgram} accounts use changes the answer later.`,
	},
	partOfMessages: (sessionId: string) =>
		`only messages read so far: ${ownProgram} messages ${sessionId} --all --format markdown writes all`,
	tooSmall: {
		needs: (columns: number, rows: number) => safe`quarterdeck needs ${columns} x ${rows}`,
		size: (columns: number, rows: number) => safe`this is ${columns} x ${rows}`,
		quit: (key: Safe) => safe`${key} quits`,
		quitTwice: (key: Safe) => safe`${key} twice quits`,
		dialog: safe`a dialog is open`,
	},
	banner: {
		isRetried: safe`Quarterdeck keeps trying.`,
		retry: (key: Safe) => safe`${key} tries again now`,
		reread: (key: Safe, file: Safe) => safe`${key} reads ${file} again`,
		environmentAddress: (own: Safe | undefined) =>
			own === undefined
				? safe`Address from QUARTERDECK_BASE_URL.`
				: safe`Address from QUARTERDECK_BASE_URL; the profile has ${own}.`,
		installAgain: (key: Safe) => safe`${key} installs them again`,
		removeThem: safe`Remove them`,
		replaceKey: (key: Safe) => safe`${key} replaces it`,
		profiles: (key: Safe) => safe`${key} opens another profile`,
		otherAddress: (key: Safe) => safe`${key} changes the address or profile`,
		/** Where the keys would type text. */
		after: (wayOut: Safe, keys: Safe) => safe`After ${wayOut}: ${keys}`,
	},
	profiles: {
		embedded: 'The embedded service is always here, and needs no address or key',
		unsaved: 'This profile comes from environment variables, such as QUARTERDECK_BASE_URL: change those',
		isOpen: 'This profile is open already',
		leaveFirst: 'This profile is open: open another one first',
		removed: (accountIds: readonly string[]) =>
			['Removed', ...accountIds.map(id => `to delete its data: ${ownProgram} accounts forget ${id}`)].join(
				'; ',
			),
		noDefault: 'From now on, a start opens the profile that was open last',
		madeDefault: (name: string) => `From now on, every start opens ${name}`,
	},
	keyElsewhere: 'Only a key stored in a file can be replaced here',
	keyInEnvironment: 'The key comes from QUARTERDECK_API_KEY: change it there, and start again',
	messageTo: (name: Safe) => safe`Message to ${name}`,
	typeAhead: {
		stopped: 'Stopped waiting',
		kept: (key: Safe) => `Your text is kept as a draft: ${key} shows it`,
		keptInSession: "Your text is kept in the new session's composer",
	},
	notArchived: "Not archived: the message isn't confirmed as delivered",
	typedOn: 'Ignored what you typed right after sending: nothing takes text here',
	noCommand: "Not sent: the shell's last command isn't known here. Type it again.",
	worksElsewhere: (key: Safe, place: string, title: string) =>
		`${key} does nothing here; in ${place}: ${title}`,
	keyUnknownHere: (key: Safe) => `${key} does nothing here`,
	keyUnknown: (key: Safe, help: Safe) => `${key} does nothing: ${help} lists the keys`,
	notRead: 'Not read yet: {refresh} asks the service',
	localProfile: (profiles: Safe) => `The next start opens profile local, too; ${profiles} switches`,
	mouseOn: 'Mouse on: hold Shift while dragging to select text',
	mouseOff: 'Mouse off for this run: dragging selects text; "mouse": false keeps it off',
	answersRequest: (answer: Safe) => keyed`${answer} answers`,
	moreOfRequest: (count: number) => safe`  … ${count} more ${count === 1 ? safe`line` : safe`lines`}`,
	undone: {
		acknowledge: (what: string) => `Undone: acknowledging ${what}`,
		return: (what: string) => `Undone: returning ${what} to Needs you`,
		snooze: (what: string) => `Undone: snoozing ${what}`,
		continue: (what: string) => `Undone: continuing ${what}`,
		rename: (what: string) => `Undone: renaming ${what}`,
		tag: (what: string) => `Undone: changing the tags of ${what}`,
		forget: (what: string) => `Undone: forgetting ${what}`,
		archive: (what: string) => `Listed again: ${what}`,
	},
	markedUnread: 'Marked unread until you open the session',
	sessions: (count: number) => `${count} sessions`,
	forget: {
		title: (name: string) => `Forget ${name}?`,
		text: (undo: Safe) => `It is removed from the lists on this machine only; ${undo} brings it back.`,
		machine: (name: string) =>
			`Quarterdeck and its agents stay there. To remove them as well, use ${ownProgram} --local computers forget ${name} --remove.`,
		whileWriting: 'Another program forgot this session: sending to it adds it again',
		elsewhere: (kind = 'session') => `Another program forgot the ${kind} shown here`,
	},
	removeWorktree: {
		title: (name: string) => `Remove the worktree of ${name}?`,
		text: 'Its folder is deleted, and its branch if that is merged. The session and its messages stay, but it can no longer run anything.',
		/** What would be lost if it isn't merged. */
		loss: ({branch = '', changes = 0, commits = 0}: WorktreeRemoval) =>
			[
				...(changes > 0
					? [
							`${changes} changed ${changes === 1 ? 'file is' : 'files are'} not committed and would be deleted.`,
						]
					: []),
				...(commits > 0
					? [
							`${commits} ${commits === 1 ? 'commit is' : 'commits are'} in no other branch: the branch ${branch} stays.`,
						]
					: []),
			].join(' '),
		loseTitle: 'Lose what is not merged?',
		loseText: (loss: string) => `${loss} Remove the worktree anyway?`,
		stays: (loss: string) => `The worktree is not removed. ${loss} To decide, remove it again.`,
	},
	interrupt: {
		asked: 'Interrupting the agent',
		outside: 'Not interrupted: this session runs in another terminal',
		cannot: "Not interrupted: this service can't do that",
		hasText: (leave: Safe, key: Safe) => `${leave}, then ${key} interrupts: the composer has text`,
		inLists: (open: Safe, key: Safe) => `${open}, then ${key} interrupts the agent`,
	},
	quit: {
		again: (key: Safe) => `${key} again quits`,
		textTitle: (verb: string) => `${verb} and lose unsent text?`,
		text: (why: string, verb: string) =>
			`What you wrote can't be saved: ${why}. Copy it first, or ${verb.toLowerCase()} without it.`,
		unwritable: "the disk can't be written to",
	},
	notifications: {
		unknownAgent: 'An agent',
		alerts: {'needs-you': 'needs you', error: 'failed', done: 'is done'},
		permission: 'a permission',
		stuck: 'may be stuck',
		turns: {asks: 'asks you', failed: 'failed', done: 'is done'},
		allDone: (count: number) => `${count} agents are done`,
		needYou: (agentCount: number, computerCount: number) => {
			const counts = [
				...(agentCount > 0 ? [agents(agentCount)] : []),
				...(computerCount > 0 ? [computers(computerCount)] : []),
			];
			return `${counts.join(' and ')} ${agentCount + computerCount === 1 ? 'needs' : 'need'} you`;
		},
		provisioning: 'Its provisioning failed',
		alsoDone: (needs: string, count: number) => `${needs}, ${count} done`,
		more: (names: string, count: number) => `${names} and ${count} more`,
		title: (needs: number) => (needs > 0 ? `(${needs}) quarterdeck` : 'quarterdeck'),
		undelivered: 'has an undelivered message',
		decide: 'Decide what to do with it',
		stillNeeds: 'still needs you',
		snoozeEnded: 'Its snooze ended',
	},
};
