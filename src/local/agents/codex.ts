import type {Agent} from './agent.ts';
import {modelArgument, promptOf} from './prompt.ts';

/** Codex's non-interactive mode; `-` reads the prompt from standard input. Messages share no context. */
export const codex: Agent = {
	name: 'codex',
	tool: 'codex',
	usesModel: true,
	command: turn => ({
		file: 'codex',
		args: ['exec', '--skip-git-repo-check', ...modelArgument(turn), '-'],
		stdin: promptOf(turn),
	}),
};
