import type {Agent} from './agent.ts';
import {modelArgument, promptOf} from './prompt.ts';

/** Gemini CLI is headless when its input is not a terminal. Each message stands for itself. */
export const gemini: Agent = {
	name: 'gemini',
	tool: 'gemini',
	usesModel: true,
	command: turn => ({file: 'gemini', args: modelArgument(turn), stdin: promptOf(turn)}),
};
