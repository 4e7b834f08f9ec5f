import type {Agent} from './agent.ts';
import {modelArgument, promptOf} from './prompt.ts';

/** Gemini CLI, which runs headless when its input is not a terminal. Messages share no context. */
export const gemini: Agent = {
	name: 'gemini',
	tool: 'gemini',
	usesModel: true,
	command: turn => ({file: 'gemini', args: modelArgument(turn), stdin: promptOf(turn)}),
};
