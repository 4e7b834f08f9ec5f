import type {Agent} from './agent.ts';
import {modelArgument, promptOf} from './prompt.ts';

/** Factory droid's single-shot mode, with the prompt on standard input. Messages share no context. */
export const droid: Agent = {
	name: 'droid',
	tool: 'droid',
	usesModel: true,
	command: turn => ({file: 'droid', args: ['exec', ...modelArgument(turn)], stdin: promptOf(turn)}),
};
