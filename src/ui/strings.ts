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
	banner: {
		profiles: (key: Safe) => safe`${key} opens another profile`,
		otherAddress: (key: Safe) => safe`${key} changes the address or profile`,
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
	messageTo: (name: Safe) => safe`Message to ${name}`,
	typeAhead: {
		stopped: 'Stopped waiting',
		kept: (key: Safe) => `Your text is kept as a draft: ${key} shows it`,
	},
	keyUnknown: (key: Safe, help: Safe) => `${key} does nothing: ${help} lists the keys`,
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
	forget: {
		machine: (name: string) =>
			`Quarterdeck and its agents stay there. To remove them as well, use ${ownProgram} --local computers forget ${name} --remove.`,
		elsewhere: (kind = 'session') => `Another program forgot the ${kind} shown here`,
	},
	removeWorktree: {
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
	},
	notifications: {
		alerts: {'needs-you': 'needs you', error: 'failed', done: 'is done'},
		turns: {asks: 'asks you', failed: 'failed', done: 'is done'},
		needYou: (agentCount: number, computerCount: number) => {
			const counts = [
				...(agentCount > 0 ? [agents(agentCount)] : []),
				...(computerCount > 0 ? [computers(computerCount)] : []),
			];
			return `${counts.join(' and ')} ${agentCount + computerCount === 1 ? 'needs' : 'need'} you`;
		},
	},
};
