import {basename} from 'node:path';
import {LocalServiceError} from './local-error.ts';
import type {Attachment} from './storage/messages.ts';

/** Longest command line in UTF-16 units: Linux allows 128 KiB per argument. */
const maxArgumentLength = 40_000;

/**
 * Runs the message as a shell command; the shell reads a very long one as a script. `ATTACHMENTS` holds the
 * attachment paths, one per line.
 */
const shell: Agent = {
	name: 'shell',
	tool: 'sh',
	usesModel: false,
	command: ({text}) =>
		text.length > maxArgumentLength
			? {file: 'sh', args: ['-s'], stdin: text}
			: {file: 'sh', args: ['-c', '--', text]},
};

/** Claude Code in print mode. It reuses our session's id, so its hook events name our session. */
const claude: Agent = {
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

/** Codex's non-interactive mode; `-` reads the prompt from standard input. Messages share no context. */
const codex: Agent = {
	name: 'codex',
	tool: 'codex',
	usesModel: true,
	command: turn => ({
		file: 'codex',
		args: ['exec', '--skip-git-repo-check', ...modelArgument(turn), '-'],
		stdin: promptOf(turn),
	}),
};

/** Factory droid's single-shot mode, with the prompt on standard input. Messages share no context. */
const droid: Agent = {
	name: 'droid',
	tool: 'droid',
	usesModel: true,
	command: turn => ({file: 'droid', args: ['exec', ...modelArgument(turn)], stdin: promptOf(turn)}),
};

/** `opencode run` with the prompt on standard input. Messages share no context. */
const opencode: Agent = {
	name: 'opencode',
	tool: 'opencode',
	usesModel: true,
	command: turn => ({file: 'opencode', args: ['run', ...modelArgument(turn)], stdin: promptOf(turn)}),
};

/** Gemini CLI, which runs headless when its input is not a terminal. Messages share no context. */
const gemini: Agent = {
	name: 'gemini',
	tool: 'gemini',
	usesModel: true,
	command: turn => ({file: 'gemini', args: modelArgument(turn), stdin: promptOf(turn)}),
};

const known: readonly Agent[] = [shell, claude, droid, codex, gemini, opencode];

/** Finds an agent by name; `cmd:...` is the user's own command. Throws `LocalServiceError` if unknown. */
export function findAgent(name: string): Agent {
	if (name.startsWith('cmd:') && name.slice(4).trim() !== '') return customAgent(name.slice(4).trim());
	const agent = known.find(each => each.name === name);
	if (agent) return agent;
	const names = known.map(each => each.name).join(', ');
	throw new LocalServiceError(`there is no agent "${name}": choose one of ${names}, or cmd:COMMAND`);
}

/** A user message for an agent to answer. */
export type Turn = {
	readonly text: string;
	readonly attachments: readonly Attachment[];
	readonly sessionId: string;
	/** From the session's settings. */
	readonly model?: string;
	/** Whether the session has no successful answer yet. */
	readonly isFirst: boolean;
};

/** The command that answers a turn, run in the session's cwd: its output is the answer. */
type AgentCommand = {readonly file: string; readonly args: readonly string[]; readonly stdin?: string};

/** A kind of agent. */
export type Agent = {
	readonly name: string;
	/** Name of the program, as usage rows report it. */
	readonly tool: string;
	/** It may use a model, whose token counts this service can't see. */
	readonly usesModel: boolean;
	command(turn: Turn): AgentCommand;
};

/** The prompt for a model's agent: the message text, then the paths of its saved attachments. */
function promptOf({text, attachments}: Turn): string {
	if (attachments.length === 0) return text;
	const list = attachments.map(({kind, name, path}) => `- ${kind} ${name}${path ? `: ${path}` : ''}`);
	return `${text}\n\nAttached:\n${list.join('\n')}\n`;
}

/** Returns `--model=...` as one argument, so that no value can be parsed as another option. */
function modelArgument({model}: Turn): string[] {
	return model ? [`--model=${model}`] : [];
}

/** The user's own command line, run by `sh` with the message on standard input. */
function customAgent(commandLine: string): Agent {
	const program = commandLine.trim().split(/\s+/)[0] ?? '';
	return {
		name: `cmd:${commandLine}`,
		tool: basename(program),
		usesModel: true,
		command: turn => ({file: 'sh', args: ['-c', '--', commandLine], stdin: promptOf(turn)}),
	};
}
