import {basename} from 'node:path';
import type {Agent} from './agent.ts';
import {promptOf} from './prompt.ts';

/** The user's own command line, run by `sh` with the message on standard input. */
export function customAgent(commandLine: string): Agent {
	const program = commandLine.trim().split(/\s+/)[0] ?? '';
	return {
		name: `cmd:${commandLine}`,
		tool: basename(program),
		usesModel: true,
		command: turn => ({file: 'sh', args: ['-c', '--', commandLine], stdin: promptOf(turn)}),
	};
}
