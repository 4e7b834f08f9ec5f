import type {Agent} from './agent.ts';
import {modelArgument, promptOf} from './prompt.ts';

/** Codex's non-interactive mode; `-` has it read the prompt from standard input. Each message stands for itself. */
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
