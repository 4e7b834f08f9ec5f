import type {Agent} from './agent.ts';
import {modelArgument, promptOf} from './prompt.ts';

/** `opencode run` with the prompt on standard input. Messages share no context. */
export const opencode: Agent = {
	name: 'opencode',
	tool: 'opencode',
	usesModel: true,
	command: turn => ({file: 'opencode', args: ['run', ...modelArgument(turn)], stdin: promptOf(turn)}),
};
