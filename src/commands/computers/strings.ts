import {ownProgram} from '../../domain/own-program.ts';

export const strings = {
	noComputers: `no computers are known here yet: add one with ${ownProgram} computers add ID, or create one with ${ownProgram} computers create`,
	created: (id: string) => `the computer ${id} was created`,
	mayExist: 'The computer may exist anyway: check the web app before you create it again.',
	updated: (id: string) => `the computer ${id} was updated`,
	mayBeUpdated: (id: string) =>
		`The computer may have been updated: check with ${ownProgram} computers get ${id}. The same update again does no harm.`,
	connecting: (id: string) => `connecting: ${ownProgram} computers watch ${id} follows it`,
	installStarted: (id: string) => `the computer ${id} installs its dependencies again`,
	copies: (host: string) =>
		`Copy Quarterdeck to ${host}, and this machine's Node if there is none, and start its service there?`,
	removes: (name: string | undefined, goesWith: string) =>
		`End Quarterdeck's service on ${name}, with all agents at work, and remove the program there?${goesWith}`,
	left: (name: string) => `forgot the computer ${name}; its service and agents go on`,
	removed: (name: string) =>
		`forgot the computer ${name}, and removed Quarterdeck there: its service has ended, and the program and its cache are gone`,
	notRemoved: (name: string) =>
		`forgot the computer ${name}, which the service had forgotten already: nothing was removed there`,
	notAMachine: '--remove is for other machines only',
	oneHost: 'use --ssh or --command, not both',
	installMayRun: `The install may be running: check with ${ownProgram} computers get.`,
	nothingToChange: 'nothing to change: use --name, --host-id or --remote-user',
	watch: {
		timedOut: (id: string | undefined, seconds: number) => `the computer ${id} was not up after ${seconds} s`,
		stepFailed: (step: string, reason: string) => `${step} failed: ${reason}`,
		unnamedStep: 'a step',
		noReason: 'no reason given',
		triesAgain: (id: string) => `${ownProgram} computers connect ${id} tries again`,
		failed: (id: string) => `the computer ${id} failed, but no step says why`,
		timeLeft: (duration: string) => `about ${duration} left`,
		progress: (done: number, total: number) => `${done} of ${total} steps`,
		unreadableInstall: (id: string, problem: string) =>
			`the install output of ${id} can't be read: ${problem}`,
	},
};
