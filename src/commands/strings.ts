import {counted} from './cli/strings.ts';

/** What these commands print besides tables and JSON, by command. */
export const strings = {
	accounts: {
		unknownData:
			"an unknown account's data may come from any service; to merge it into the right account, run quarterdeck accounts join INTO FROM",
		merged: (from: string, into: string, moved: {sessions: number; drafts: number; messages: number}) =>
			`merged ${from} into ${into}: moved ${counted(moved.sessions, 'session')}, ${counted(moved.drafts, 'draft')} and ${counted(moved.messages, 'unsent message')}`,
		unsent: (count: number) =>
			`nothing was deleted: ${counted(count, 'message')} never sent; --discard-unsent deletes unsent messages too`,
		question: (account: string) => `Delete everything stored for ${account}?`,
		unchanged: 'nothing was deleted',
		unknown: (id: string) => `unknown account ${id}: see quarterdeck accounts list`,
		embedded: 'embedded',
		unknownService: 'unknown account',
	},
	keys: {
		problem: (file: string, problem: string) => `${file}: keys: ${problem}`,
	},
	resetTerminal: {
		noTerminal: 'stdout is not a terminal: run quarterdeck reset-terminal in the terminal to restore',
		noStty: "stty can't be run: type `reset` and press Enter",
	},
	serve: {
		socket: 'socket    ',
		url: 'url       ',
		keyFile: 'key file  ',
	},
	sessions: {
		mayExist:
			"The session may exist anyway, and the service can't list sessions: create it again only if a duplicate does no harm.",
		readByUpdate: "the service can't read a single session: this was an update (PATCH) that changes nothing",
		lostSettings: (names: string) => `session updated, but the service dropped its ${names}`,
		mayBeAnswered: 'It may be answered: see quarterdeck sessions requests.',
		answered: {once: 'allowed once', always: 'allowed from now on', no: 'denied'},
		interrupted: 'the turn was interrupted',
		noTurn: 'no turn is running',
		timeFormat: 'an ISO 8601 date and time with a time zone, such as 2026-05-01T10:00:00Z',
	},
	storage: {
		used: (account: string, used: string, limit: string, file: string, free: string) =>
			`${account}: ${used} of at most ${limit} in ${file}, plus ${free} unused`,
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
