import {ownProgram} from '../domain/own-program.ts';
import type {RunningService} from '../domain/running-service.ts';
import {quote} from '../hook-setup/hook-command.ts';
import {safe} from '../text/cells/safe.ts';
import {dateTime} from '../text/values/times.ts';
import {counted} from './cli/strings.ts';

export const strings = {
	accounts: {
		noKey:
			'only a key of a hosted service opens an account: set QUARTERDECK_BASE_URL and QUARTERDECK_API_KEY, or use --profile',
		used: (account: string) => `this key opens account ${account} from now on`,
		unopened: (id: string) =>
			`no key opens account ${id} any more; ${ownProgram} accounts use ${id} lets this key open it again`,
		unread: (id: string, problem: string | undefined) => `account ${id} can't be read: ${problem}`,
		unsentUnknown: (problem: string) =>
			`nothing was deleted: the account may have unsent messages, but can't be read; --discard-unsent deletes them too: ${problem}`,
		unsent: (count: number) =>
			`nothing was deleted: ${count === 1 ? '1 message was' : `${count} messages were`} never sent; --discard-unsent deletes unsent messages too`,
		question: (account: string) => `Delete everything stored for ${account}?`,
		unchanged: 'nothing was deleted',
		forgot: (account: string) => `deleted everything stored for ${account}`,
		unknown: (id: string) => `unknown account ${id}: see ${ownProgram} accounts list`,
		embedded: 'embedded',
	},
	keys: {
		problem: (file: string, problem: string) => `${file}: keys: ${problem}`,
	},
	profiles: {
		newAddress: (before: string, after: string) =>
			`the address was ${before}; from now on the key is sent to ${after}. Data stored for the old address stays with it; ${ownProgram} sessions add ID adds a session of the new one`,
		question: (name: string) => `Remove the profile ${name}, and its key if it was typed in Quarterdeck?`,
		unchanged: 'nothing was removed',
		embedded: 'embedded',
		environment: 'environment',
	},
	resetTerminal: {
		noTerminal: `stdout is not a terminal: run ${ownProgram} reset-terminal in the terminal to restore`,
		noStty: "stty can't be run: type `reset` and press Enter",
	},
	serve: {
		/** Of a service in the background, in its log. */
		started: (at: Date, pid: number) =>
			`${at.toISOString()} started version ${__VERSION__} in process ${pid}`,
		ended: (at: Date, why: 'idle' | 'stopped' | undefined) =>
			`${at.toISOString()} ${{idle: 'ended: nobody used it', stopped: 'ended on request', none: 'ended by a signal'}[why ?? 'none']}`,
		running: ({
			pid,
			version,
			startedAt,
			agentsAtWork,
			endsWhenIdle,
		}: Omit<RunningService, 'computerIds' | 'offers'>) =>
			`runs in process ${pid} since ${dateTime(startedAt)}, version ${version}, ${counted(agentsAtWork, 'agent')} at work${endsWhenIdle ? '; ends when they are done, for a newer version to start' : ''}`,
		notRunning: (folder: string) =>
			`not running: ${ownProgram} --local starts it, with its data in ${folder}`,
		question: (agents: number) => `End the embedded service, and ${counted(agents, 'agent')} at work?`,
		unchanged: 'nothing was ended',
		stopped: (pid: number) =>
			`the embedded service in process ${pid} has stopped; a screen that is open starts it again`,
		socket: 'socket    ',
		url: 'url       ',
		keyFile: 'key file  ',
	},
	uninstall: {
		isOpen: (pids: readonly number[]) =>
			`nothing was removed: Quarterdeck is open in process ${pids.join(', ')}; quit it first`,
		nothing: 'nothing is saved: there is nothing to remove',
		keptConfig: (folder: string) => `${folder} stays; --config removes it too`,
		question: 'Remove all of this?',
		unchanged: 'nothing was removed',
		stopped: (target: string) => `${target} failed, and what is listed after it is unchanged:`,
		keptBranches(repository: string, branches: readonly string[]) {
			const [what, them] = branches.length === 1 ? ['branch', 'it'] : ['branches', 'them'];
			const git = `git -C ${quote(repository)}`;
			return `${repository} keeps the ${what} ${branches.join(', ')}, whose commits may be nowhere else; to delete ${them} afterwards: ${git} worktree prune && ${git} branch -D ${branches.join(' ')}`;
		},
		done: safe`all that is listed was removed`,
		hooks: (client: string, file: string) => `take the hooks of ${client} out of ${file}`,
		computer: (name: string) =>
			`end the service on ${name} and its agents, and remove the program there; the sessions' data in ~/.local/state/quarterdeck there stays`,
		/** `agents`: undefined if it doesn't run. */
		service: (agents: number | undefined) =>
			agents === undefined
				? 'start the embedded service for this, and end it again'
				: `end the embedded service${agents > 0 ? `, and ${counted(agents, 'agent')} at work` : ''}`,
		folder: (folder: string, what: string) => `remove ${folder}: ${what}`,
		state: (worktrees: number) =>
			`all saved data, with drafts, unsent messages and cloned repositories${worktrees > 0 ? `; also the worktrees of ${counted(worktrees, 'session')}, with what is not committed there` : ''}`,
		cache: 'compiled code',
		runtime: 'sockets',
		config: 'settings, saved API keys, and prompts of your own',
	},
	storage: {
		used: ({account, stored, onDisk, file}: Record<'account' | 'stored' | 'onDisk' | 'file', string>) =>
			`${account}: ${stored}; ${onDisk} on disk in ${file}`,
		total: (size: string) => `total: ${size} on disk`,
		otherAccount: (size: string, file: string) => `other account: ${size} in ${file}`,
		embeddedService: (size: string, file: string) => `embedded service: ${size} in ${file}`,
		question: (used: string, target: string) =>
			`${used} used. Delete cached messages down to ${target}? They can be read from the service again.`,
		pruned: (sessions: number, before: string, after: string) =>
			`deleted the cached messages of ${counted(sessions, 'session')}: ${before} before, ${after} now`,
		overTarget:
			'still over the target: drafts, the outbox, usage data and sessions opened in the last ten minutes are kept',
		size: 'a size such as 500 MB',
	},
};
