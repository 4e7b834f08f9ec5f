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
	},
	continued: {
		now: (words: readonly string[]) => {
			const quoted = [...new Set(words)].map(one => `"${one}"`).join(', ');
			return `Sending ${quoted}${words.length === 1 ? '' : ` to ${sessions(words.length)}`}`;
		},
		later: (count: number, time: string, undo: string) =>
			`${count === 1 ? 'It continues' : `${sessions(count)} continue, one after the other,`} after ${time}; ${undo} undoes this`,
	},
	outside: {
		elsewhere: (computer: string) => `It runs on another computer: ${computer}`,
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
	},
	computers: {
		added: (count: number) => (count === 1 ? 'Computer added' : `${count} computers added`),
		goesWith: (count: number, unsent: number) =>
			[
				...(count > 0
					? [` ${count === 1 ? 'Its session leaves' : `Its ${sessions(count)} leave`} your lists.`]
					: []),
				...(unsent > 0 ? [` ${unsent} unsent ${unsent === 1 ? 'message is' : 'messages are'} deleted.`] : []),
			].join(''),
	},
	sessions: {
		mode: (mode: string) => `Mode: ${modeTitle(mode)}`,
		/** Another program may have answered first. */
		continued: (count: number) =>
			count === 0 ? 'No session is left to continue' : `${sessions(count)} continued`,
		added: (count: number) => (count === 1 ? 'Session added' : `${count} sessions added`),
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
	editor: {
		notFound: (editor: string) =>
			`The editor "${editor}" was not found: set EDITOR to an installed editor. Your text is unchanged`,
		failed: (editor: string) => `The editor "${editor}" exited with an error. Your text is unchanged`,
	},
	files: {
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
