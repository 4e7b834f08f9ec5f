import type {Agent} from './agent.ts';

/** Longest command line in UTF-16 units: Linux allows 128 KiB per argument. */
const maxArgumentLength = 40_000;

/**
 * Runs the message as a shell command; the shell reads a very long one as a script. `ATTACHMENTS` holds the
 * attachment paths, one per line.
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
