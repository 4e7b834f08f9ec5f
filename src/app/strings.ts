import {ownProgram} from '../domain/own-program.ts';

/** Notices and questions of the open app and its profiles. */
export const strings = {
	account: {
		/** Whole in the footer at 80 columns. */
		unanswered: 'This new key has its own account until the service answers',
		answersTitle: 'Find the account of this key now?',
		answers:
			"This key is new on this machine, and the service didn't say whose it is when Quarterdeck looked for its account. It responds now: answer yes to open the profile again and look once more. Until then the key has an account of its own. What you typed or queued stays with the key.",
		joinTitle: 'Is this the same organization?',
		hidden: (name: string) => `This key is new on this machine, and it can't see the data of ${name}.`,
		unclear: (name: string) => `It is unclear whether this key belongs to ${name}.`,
		join: (why: string, own: string, other: string) =>
			`${why} For now it has its own account, ${own}, and the two share nothing. Answer yes if both belong to the same organization; no keeps them apart. To join them later: ${ownProgram} accounts join ${other} ${own}`,
		formClosed: 'The form was closed: it was for another account',
		joined: 'Accounts joined',
		left: (where: string) => `What was shown stays with ${where}`,
		/** The footer may cut the end, behind the id. */
		previous: (id: string) => `account ${id}, the old key's`,
	},
	embedded: {
		takenOver: 'The program running the embedded service exited: the service now runs here',
		startedLate: 'The embedded service is running',
	},
	profiles: {
		opening: (name: string) => `Opening ${name}`,
		isOpening: 'Another profile is being opened',
		/** `keyFile`: where the key that was given is, or is from now on. */
		connected: (name: string, keyFile?: string) => `Connected: profile ${name}${keyIn(keyFile)}`,
		saved: (name: string, keyFile?: string) => `Profile ${name} saved${keyIn(keyFile)}`,
		unchecked: (name: string) => `Profile ${name} saved without asking its service`,
		canceled: 'Canceled: nothing was saved',
	},
	/** After the screen is closed. */
	queued: (count: number) =>
		`${count === 1 ? '1 message is' : `${count} messages are`} not sent yet: Quarterdeck tries again when it next runs.`,
	pasteCut: (length: number) =>
		`The paste had ${length} characters, more than a message can hold: its end was cut off`,
} as const;

function keyIn(keyFile: string | undefined): string {
	return keyFile === undefined ? '' : `; its key is in ${keyFile}`;
}
