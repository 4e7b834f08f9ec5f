import type {Agent} from './agent.ts';

/** Longest command line, UTF-16 units: the system takes 128 KiB in one argument. */
const maxArgumentLength = 40_000;

/**
 * The message is a shell command; a very long one is read by the shell as a script. The paths of its attachments,
 * one a line, are in `ATTACHMENTS`.
 */
export const shell: Agent = {
	name: 'shell',
	tool: 'sh',
	usesModel: false,
	command: ({text}) =>
		text.length > maxArgumentLength
			? {file: 'sh', args: ['-s'], stdin: text}
			: {file: 'sh', args: ['-c', '--', text]},
};
