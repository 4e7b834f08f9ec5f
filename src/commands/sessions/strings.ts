import {ownProgram} from '../../domain/own-program.ts';

export const strings = {
	created: (id: string) => `the session ${id} was created`,
	mayExist:
		"The session may exist anyway, and the service can't list sessions to check. Create it again only if a duplicate does no harm.",
	updated: (id: string) => `the session ${id} was updated`,
	mayBeUpdated: (id: string) =>
		`The session may have been updated: check with ${ownProgram} sessions get ${id}. The same update again does no harm.`,
	readByUpdate: 'the service has no request that only reads a session: it was sent an empty update (PATCH)',
	lostSettings: (names: string) => `session updated, but the service dropped its ${names}`,
	/** `problem` is a sentence. */
	unread: (id: string, problem: string) => `${id}: ${problem}`,
	unreachable: "Its computer can't be reached.",
	stateUnread: (problem: string) => `its messages can't be read, so its state is the last known: ${problem}`,
	watchEnded: (seconds: number) => `stopped watching after ${seconds} s`,
	notReached: (id: string, wanted: string, seconds: number, state: string | undefined) =>
		`after ${seconds} s, ${id} was still not ${wanted}: ${state === undefined ? 'it could not be read' : `it is ${state}`}`,
	states: (names: readonly string[]) => `states from ${names.join(', ')}, separated by commas`,
	queued: `a message to this session is not sent yet: ${ownProgram} outbox wait sends it`,
	noMatches: 'no session here matches',
	noneNeedsYou: 'none needs you',
	noSessions: `no sessions are known here yet: add one with ${ownProgram} sessions add ID, or start one with ${ownProgram} sessions create`,
	noRequests: 'no open requests',
	mayBeAnswered: `It may have been answered: see ${ownProgram} sessions requests.`,
	answered: {
		allowed: (changes: string) => (changes === '' ? 'allowed once' : `allowed: ${changes}`),
		no: 'denied',
		question: 'answered',
	},
	requestOver: 'No open request has this id. Nothing was answered.',
	requestOverHint: 'It may have been answered in its own terminal, or its computer is unreachable.',
	interrupted: 'the turn was interrupted',
	noTurn: 'no turn is running',
	noDiff: {
		'no-folder': 'the folder of this session is gone',
		'no-git': "git isn't installed",
		'no-repository': 'the folder of this session is not in a git repository',
		'no-base': 'the base branch of this branch is unknown',
		failed: "git can't read the repository",
	},
	binaryChanged: (path: string) => `binary file, not shown: ${path}`,
	diffCut: (path: string) => `too large to show completely: ${path}`,
	filesLeftOut: (count: number) => `${count} more changed files are not listed`,
	mayBeRemoved: `The worktree may have been removed: check with ${ownProgram} sessions get.`,
	worktreeRemoved: (branch: string, isKept: boolean) =>
		isKept
			? `worktree removed; its commits are in the branch ${branch}`
			: `worktree and branch ${branch} removed`,
	worktreeKept: (branch: string, changes: number, commits: number) =>
		`not removed: ${changes} ${changes === 1 ? 'file' : 'files'} not committed, ${commits} ${commits === 1 ? 'commit' : 'commits'} of ${branch} in no other branch; --force removes it anyway`,
	notOutside: `no client in another terminal reported this session: ${ownProgram} send continues it where it is`,
	idOrInterrupted: 'name a session, or give --interrupted alone',
	noneInterrupted: 'no interrupted session is left to continue',
	continued: (count: number) => `${count} ${count === 1 ? 'session goes' : 'sessions go'} on`,
	mayContinue: `They may go on: see ${ownProgram} sessions list.`,
	nothingCreated: 'No session was created.',
	timeFormat: 'an ISO 8601 date and time with a time zone, such as 2026-05-01T10:00:00Z',
};
