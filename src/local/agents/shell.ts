import type {Agent} from './agent.ts';

/** The message is a shell command. The paths of its attachments, one a line, are in `ATTACHMENTS`. */
export const shell: Agent = {
	name: 'shell',
	tool: 'sh',
	usesModel: false,
	command: ({text}) => ({file: 'sh', args: ['-c', '--', text]}),
};
