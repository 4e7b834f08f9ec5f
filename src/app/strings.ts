import {ownProgram} from '../domain/own-program.ts';

export const strings = {
	account: {
		/** Whole in the footer at 80 columns. */
		newKey: "This profile's new key opens the same account as before",
		/** The footer may cut the end, behind the id. */
		left: (id: string) => `What was shown stays with account ${id}, the old key's`,
	},
	cutOff: {
		title: (count: number) =>
			`${count === 1 ? '1 session was' : `${count} sessions were`} at work when the service ended`,
		question: 'Continue? Each agent resumes its conversation where it was cut off. This is asked only once.',
		notice: (count: number) =>
			`${count === 1 ? '1 session was' : `${count} sessions were`} at work when the service ended: ${ownProgram} sessions continue --interrupted`,
	},
	profiles: {
		opening: (name: string) => `Opening ${name}`,
		isOpening: 'Another profile is being opened',
		/** `keyFile`: where the key that was given is, or is from now on. */
		connected: (name: string, keyFile: string | undefined) => `Connected: profile ${name}${keyIn(keyFile)}`,
		saved: (name: string, keyFile?: string) => `Profile ${name} saved${keyIn(keyFile)}`,
		canceled: 'Canceled: nothing was saved',
	},
	/** After the screen is closed. */
	queued: (count: number) =>
		`${count === 1 ? '1 message is' : `${count} messages are`} not sent yet: Quarterdeck tries again when it next runs.`,
	goOn: (count: number, computers: string) =>
		`${count === 1 ? '1 agent keeps' : `${count} agents keep`} working on ${computers}.`,
	/** In the configuration. */
	mistakes: ([first = '', ...others]: readonly string[]) =>
		others.length === 0
			? `${first.replace(/; .*/, '')}; ${ownProgram} doctor says more`
			: `${others.length + 1} mistakes in the configuration: ${ownProgram} doctor lists them`,
	faintColors: (names: readonly string[]) =>
		`colors: ${names.join(', ')} would be hard to read on this background, so another shade is shown`,
	pasteCut: (length: number) =>
		`The paste had ${length} characters, more than a message can hold: its end was cut off`,
} as const;

function keyIn(keyFile: string | undefined): string {
	return keyFile === undefined ? '' : `; its key is in ${keyFile}`;
}
