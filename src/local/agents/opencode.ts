import type {Agent} from './agent.ts';
import {modelArgument, promptOf} from './prompt.ts';

/** `opencode run` takes its message from standard input too. Each message stands for itself. */
export const opencode: Agent = {
	name: 'opencode',
	tool: 'opencode',
	usesModel: true,
	command: turn => ({file: 'opencode', args: ['run', ...modelArgument(turn)], stdin: promptOf(turn)}),
};
