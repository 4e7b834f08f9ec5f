import {modeTitle} from '../domain/sessions/session.ts';

const sessions = (count: number) => (count === 1 ? '1 session' : `${count} sessions`);

/** `; left out: 2 archived already, 1 outside the service`, from the reason for each session that was left out. */
function leftOut(reasons: readonly string[]): string {
	const counts = [...Map.groupBy(reasons, why => why)].map(([why, {length}]) => `${length} ${why}`);
	return counts.length === 0 ? '' : `; left out: ${counts.join(', ')}`;
}

/** Texts of actions for notices and forms, by file. `undo`, `archive` and the like are key names. */
export const strings = {
	attention: {
		acknowledged: (undo: string) => `Acknowledged: out of Needs you until there is news; ${undo} undoes this`,
		questionAcknowledged: (undo: string) =>
			`Acknowledged: out of Needs you until it asks again; ${undo} undoes this`,
		failureAcknowledged: (undo: string) =>
			`Acknowledged: out of Needs you until it fails again; ${undo} undoes this`,
		snoozed: (until: string, undo: string) => `Snoozed: out of Needs you ${until}; ${undo} undoes this`,
		returned: (undo: string) => `Back in Needs you; ${undo} undoes this`,
	},
	continued: {
		now: (words: readonly string[]) => {
			const quoted = [...new Set(words)].map(one => `"${one}"`).join(', ');
			return `Sending ${quoted}${words.length === 1 ? '' : ` to ${sessions(words.length)}`}`;
		},
		later: (count: number, time: string, undo: string) =>
			`${count === 1 ? 'It continues' : `${sessions(count)} continue, one after the other,`} after ${time}; ${undo} undoes this`,
	},
	folders: {
		committed: (commit: string, branch: string) => `Committed ${commit} to ${branch}`,
		mayBeCommitted: 'It may have been committed: refresh the changes to check.',
		pullRequest: (where: string) => `Pull request opened: ${where}`,
		mayBeOpened: 'It may be open anyway: check on GitHub.',
		pushed: 'The branch is pushed, but no pull request is open.',
		worktreeRemoved: (branch: string, isKept: boolean) =>
			isKept
				? `Worktree removed; its commits are in the branch ${branch}`
				: `Worktree and branch ${branch} removed`,
		worktreeMayBeRemoved: 'It may have been removed: refresh to check.',
	},
	agents: {
		answered: {
			once: 'Allowed once',
			plan: 'Plan approved',
			more: (changes: readonly string[]) => `Allowed: ${changes.join('; ')}`,
			no: 'Denied',
			question: 'Answered',
		},
		unconfirmed: "The service didn't say which answer it accepted: see the stream.",
		mayBeAnswered: 'It may have been answered: the stream shows the result.',
		interrupted: 'The agent is interrupted',
		noTurn: 'No turn is running: there is nothing to interrupt',
	},
	outside: {
		notRunning: 'Its process has ended, or runs on another machine or in a container',
		elsewhere: (computer: string) => `It runs on another computer: ${computer}`,
		noTmux: (pid: number, tty: string | undefined, cwd: string | undefined) =>
			[`Outside tmux: process ${pid}`, tty && `terminal ${tty}`, cwd && `in ${cwd}`]
				.filter(Boolean)
				.join(', '),
		shown: 'Switched to its tmux pane',
		continued: 'Continued here: write the next message',
		otherClient: 'Only sessions of Claude Code can be continued here',
		noFolder: 'The folder it ran in is unknown',
		stillRuns: 'It is still running in its own terminal: end it there first',
		noComputer: 'There is no computer to continue it on',
		onlyText: 'Only text can be typed into its terminal: remove the attachments',
		typed: 'Typed into its terminal; waiting until its transcript has it',
		seen: 'Seen: its transcript has the message',
		notSeen: (go: string) =>
			`Typed into its terminal, but its transcript doesn't have it so far: ${go} goes there`,
		notTyped: {
			'not-running': () => "Not sent: its client has ended, or doesn't say whether it is idle",
			'no-tmux': (go: string) => `Not sent: its terminal isn't in tmux; ${go} says where it is`,
			'at-work': (go: string) => `Not sent: its agent is at work; ${go} goes to its terminal`,
			asks: (go: string) => `Not sent: it asks something in its terminal; ${go} goes there`,
			'in-background': (go: string) =>
				`Not sent: another program is in front in its terminal; ${go} goes there`,
			'in-copy-mode': (go: string) => `Not sent: its tmux pane takes no text now; ${go} goes there`,
			failed: (go: string) => `Not sent: tmux refused the text; ${go} goes to its terminal`,
			'not-entered': (go: string) =>
				`Typed into its prompt, but not sent: something else came up; ${go} goes to its terminal`,
		},
		attach: (command: string) => `It runs in tmux: attach with ${command}`,
	},
	computers: {
		mayExist: 'The computer may exist anyway: check the web app before you create it again.',
		created: (name: string) => `${name} is being provisioned`,
		updated: (name: string) => `${name} updated`,
		installing: 'Installing dependencies again',
		mayInstall: (refresh: string) => `It may be running anyway; press ${refresh} to check.`,
		noId: 'The ID of the computer is missing.',
		unknown:
			"The service has no computer with this id: is it a session's? One that was just created may take a few seconds.",
		added: (count: number) => (count === 1 ? 'Computer added' : `${count} computers added`),
		forgotten: (undo: string) => `Computer forgotten here, not at the service; ${undo} undoes this`,
		machineForgotten: (add: string) =>
			`Computer forgotten; its service and agents go on there; ${add} adds it again`,
		goesWith: (count: number, unsent: number) =>
			[
				...(count > 0
					? [` ${count === 1 ? 'Its session leaves' : `Its ${sessions(count)} leave`} your lists.`]
					: []),
				...(unsent > 0 ? [` ${unsent} unsent ${unsent === 1 ? 'message is' : 'messages are'} deleted.`] : []),
			].join(''),
		connecting: 'Connecting again',
		noSsh: 'ssh was not found on PATH',
		notLoggedIn: 'ssh did not log in',
	},
	sessions: {
		mayExist:
			"The session may exist anyway, and the service can't list sessions to check. Create it again only if a duplicate does no harm.",
		updated: 'Session updated',
		mode: (mode: string) => `Mode: ${modeTitle(mode)}`,
		/** Another program may have answered first. */
		continued: (count: number) =>
			count === 0 ? 'No session is left to continue' : `${sessions(count)} continued`,
		lostSettings: (names: string) => `Session updated, but the service dropped its ${names}`,
		forgotten: (undo: string) => `Session forgotten here, not at the service; ${undo} undoes this`,
		noId: 'The ID of the session is missing.',
		unknown:
			"The service has no session with this id: is it a computer's? One that was just created may take a few seconds.",
		added: (count: number) => (count === 1 ? 'Session added' : `${count} sessions added`),
		renamed: (undo: string) => `Renamed on this machine; ${undo} undoes this`,
		unnamed: (undo: string) => `The service's title is shown again; ${undo} undoes this`,
		pinned: (pin: string) => `Pinned to the top of its group; ${pin} unpins it`,
		unpinned: (pin: string) => `Unpinned; ${pin} pins it again`,
	},
	several: {
		leftOut,
		/** Why an action leaves out a session, after their number. */
		why: {
			outside: 'in another terminal',
			archived: 'archived already',
			notFailed: 'without a failed turn',
			hasQueued: 'with a message that waits',
			noCommand: 'whose last command is not known here',
			needsNothing: 'with nothing to acknowledge',
		},
		/** `running`: number of agents at work, which archiving doesn't end. `isForGood`: the service can't undo it. */
		archived: (
			undo: string,
			{running, isForGood}: {readonly running: number; readonly isForGood: boolean},
		) => ({
			all: (count: number) => `Archived ${sessions(count)}`,
			some: (done: number, count: number) => `Archived ${done} of ${count}`,
			undo: (count: number) => {
				const goOn = running === 0 ? '' : running === 1 ? '; 1 agent goes on' : `; ${running} agents go on`;
				const it = count === 1 ? 'it' : 'them';
				const again = `shows ${it} here again (the service keeps ${it} archived)`;
				return `; ${undo} ${isForGood ? again : 'undoes this'}${goOn}`;
			},
		}),
		restored: (archive: string, isForGood: boolean) => ({
			all: (count: number) => `${sessions(count)} listed again${isForGood ? ' here' : ''}`,
			some: (done: number, count: number) => `Listed ${done} of ${count} again`,
			undo: (count: number) => {
				const it = count === 1 ? 'it' : 'them';
				return `${isForGood ? ` (the service keeps ${it} archived)` : ''}; ${archive} archives ${it} again`;
			},
		}),
		tagged: (undo: string | undefined) => ({
			all: (count: number) => `Changed the tags of ${sessions(count)}`,
			some: (done: number, count: number) => `Changed the tags of ${done} of ${count}`,
			undo: () => (undo === undefined ? '' : `; ${undo} undoes this`),
		}),
		acknowledged: (count: number, undo: string) =>
			`Acknowledged ${sessions(count)}: out of Needs you until there is news; ${undo} undoes this`,
		questionsAcknowledged: (count: number, undo: string) =>
			`Acknowledged ${sessions(count)}: out of Needs you until ${count === 1 ? 'it asks' : 'they ask'} again; ${undo} undoes this`,
		returned: (count: number, undo: string) => `${sessions(count)} back in Needs you; ${undo} undoes this`,
		moreFailed: (count: number) => `${count} more failed`,
	},
	messages: {
		notSaved: (reason: string) => `The message could not be saved and was not sent: ${reason}`,
		resent: 'Sent again',
		trying: 'Trying to send it now',
		resentUnconfirmed: 'Sent again; it may appear twice',
		discarded: 'Taken back into the composer',
		gone: 'The message is no longer in the outbox',
		delivered: 'The message was already delivered',
		sending: 'The message is being sent: wait for the result',
		draftNotSaved: (reason: string) => `The draft could not be saved: ${reason}`,
	},
	refreshing: 'Refreshing…',
	copy: {
		empty: 'There is no text to copy',
		size: (characters: number) => (characters === 1 ? '1 character' : `${characters} characters`),
		copied: (what: string, size: string, method: string) => `Copied ${what}, ${size}, with ${method}`,
		tooLong: (size: string) => `Not copied: ${size} is too long for the terminal's clipboard (OSC 52)`,
		text: 'the text',
	},
	links: {
		opening: (url: string) => `Opening ${url}`,
		refused: 'Not opened: only http, https and mailto links without a password can be opened',
		notFound: (program: string) => `Not opened: ${program} is not installed; copy the link instead`,
		failed: (program: string, code: number) =>
			`Not opened: ${program} ended with ${code}; copy the link instead`,
	},
	notifyCommand: {
		notStarted: (reason: string) => `notifyCommand didn't start (${reason}): check it in the configuration`,
		failed: (program: string, end: number | string) =>
			`notifyCommand: ${program} ended with ${end}; later failures aren't shown`,
	},
	exports: {
		rows: (count: number) => (count === 1 ? '1 row' : `${count} rows`),
		empty: (tables: readonly string[]) => (tables.length === 0 ? '' : `; empty: ${tables.join(', ')}`),
		messages: (count: number) => (count === 1 ? '1 message' : `${count} messages`),
		wrote: (place: string, rows: string, size: string) => `Wrote ${place}: ${rows}, ${size}`,
		files: (count: number, pattern: string) => `${pattern}, ${count} files`,
		more: (path: string, count: number) => `${path} and ${count} more`,
		rename: 'Choose another name or folder.',
		copied: (rows: string, tables: number, name: string, format: string) =>
			`${rows}${tables > 1 ? ` in ${tables} tables` : ''} of ${name} as ${format}`,
	},
	editor: {
		notFound: (editor: string) =>
			`The editor "${editor}" was not found: set EDITOR to an installed editor. Your text is unchanged`,
		failed: (editor: string) => `The editor "${editor}" exited with an error. Your text is unchanged`,
		notOpened: (reason: string) => `The editor could not be opened: ${reason}. Your text is unchanged`,
	},
	pager: {
		notFound: (pager: string) => `The pager "${pager}" was not found: set PAGER to an installed pager`,
		notRunnable: (pager: string) => `The pager "${pager}" can't be run: set PAGER to another one`,
		notOpened: (reason: string) => `The pager could not be opened: ${reason}`,
	},
	attachments: {
		unsupported: (path: string) =>
			`${path} can't be attached: attach an image (png, jpeg, gif, webp), a PDF or UTF-8 text`,
		notFile: (path: string) => `${path} is not a file: nothing was attached`,
		leadsOut: (path: string, place: string) =>
			`${path} leads to ${place}: nothing was attached; to attach it, write that path`,
		unreadable: (path: string, code: string | undefined) =>
			`${path} can't be read (${code}): nothing was attached`,
		tooLarge: (path: string, size: string, limit: string, left: string | undefined) =>
			`${path} is ${size}: a message's attachments may total ${limit}${left === undefined ? '' : `, and ${left} is left`}`,
	},
	files: {
		unwritable: (path: string, reason: string) => `${path} can't be written: ${reason}.`,
		unknownReason: 'unknown error',
		reasons: {
			ENOENT: 'its folder does not exist',
			ENOTDIR: 'part of its path is not a folder',
			EISDIR: 'it is a folder',
			EACCES: 'its folder is not writable',
			EPERM: 'its folder is not writable',
			EROFS: 'the disk is read-only',
			ENOSPC: 'the disk is full',
			EDQUOT: 'your disk quota is used up',
			ENAMETOOLONG: 'the name is too long',
		},
	},
};
