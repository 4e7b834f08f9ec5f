import {ownProgram} from '../domain/own-program.ts';

/** Notices and questions of the open app and its profiles. */
export const strings = {
	account: {
		unanswered:
			"This key is new on this machine and the service doesn't respond: the key has its own account until the service says which one it belongs to",
		answersTitle: 'Find the account of this key now?',
		answers:
			"This key is new on this machine, and the service didn't respond when it was asked for the key's account. It responds now: yes opens the profile again and asks. What you typed and queued stays with the key; until then it has its own account.",
		joinTitle: 'Is this the same organization?',
		hidden: (name: string) => `it can't see the data of ${name}`,
		unclear: (name: string) => `it is unclear whether it belongs to ${name}`,
		join: (why: string, own: string, other: string) =>
			`This key is new on this machine, and ${why}. For now it has its own account, ${own}, and the two share nothing. Answer yes if both belong to the same organization, or join them later: ${ownProgram} accounts join ${other} ${own}`,
		joined: 'Accounts joined',
		/** The footer may cut the end. */
		other: (what: string) => `${what}: the new key opens another`,
		left: (where: string) => `What was shown before stays with ${where}`,
		previous: (name: string) => `the previous key's account, ${name}`,
	},
	embedded: {
		takenOver: 'The program running the embedded service exited: the service now runs here',
		startedLate: 'The embedded service is running',
	},
	profiles: {
		opening: (name: string) => `Opening ${name}`,
		isOpening: 'Another profile is being opened',
		connected: (name: string) => `Connected: profile ${name}`,
		saved: (name: string) => `Profile ${name} saved`,
		unchecked: (name: string) => `Profile ${name} saved without asking its service`,
		canceled: 'Canceled: nothing was saved',
	},
	/** After the screen is closed. */
	queued: (count: number) =>
		`${count === 1 ? '1 message is' : `${count} messages are`} not sent yet: Quarterdeck tries again when it next runs.`,
	pasteCut: (length: number) =>
		`The paste had ${length} characters, more than a message can hold: its end was cut off`,
} as const;
