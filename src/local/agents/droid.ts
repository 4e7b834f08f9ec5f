import type {Agent} from './agent.ts';
import {modelArgument, promptOf} from './prompt.ts';

/** Factory droid's single-shot mode, with the prompt on standard input. Each message stands for itself. */
export const droid: Agent = {
	name: 'droid',
	tool: 'droid',
	usesModel: true,
	command: turn => ({file: 'droid', args: ['exec', ...modelArgument(turn)], stdin: promptOf(turn)}),
};
