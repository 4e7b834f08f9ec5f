import type {Agent} from './agent.ts';
import {modelArgument, promptOf} from './prompt.ts';

/** Claude Code in print mode. It reuses our session's id, so its hook events name our session. */
export const claude: Agent = {
	name: 'claude',
	tool: 'claude',
	usesModel: true,
	command: turn => ({
		file: 'claude',
		args: [
			'-p',
			turn.isFirst ? `--session-id=${turn.sessionId}` : `--resume=${turn.sessionId}`,
			...modelArgument(turn),
		],
		stdin: promptOf(turn),
	}),
};
