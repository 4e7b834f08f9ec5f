import {basename} from 'node:path';
import {ifPossible} from '../../domain/if-possible.ts';
import {LocalServiceError} from '../local-error.ts';
import type {Command} from '../processes/process-group.ts';
import type {Attachment} from '../storage/messages.ts';
import {openAcp} from './acp.ts';
import type {AgentSession, OpenOptions} from './agent-session.ts';
import {openClaude} from './claude.ts';
import {openCodex} from './codex.ts';

/** Longest command line in UTF-16 units: Linux allows 128 KiB per argument. */
const maxArgumentLength = 40_000;

/**
 * Runs the message as a shell command; the shell reads a very long one as a script. Its output and its errors share a
 * pipe, so that they come in their order. `ATTACHMENTS` holds the attachment paths, one per line.
 */
const shell: Agent = {
	name: 'shell',
	tool: 'sh',
	usesModel: false,
	command: ({text}) =>
		text.length > maxArgumentLength
			? {file: 'sh', args: ['-c', 'exec sh -s 2>&1'], stdin: text}
			: {file: 'sh', args: ['-c', 'exec sh -c -- "$1" 2>&1', 'sh', text]},
};

/** A client that speaks the Agent Client Protocol. */
const acp = (
	name: string,
	tool: string,
	args: readonly string[],
	argsFor: (options: OpenOptions) => readonly string[] = () => [],
): Agent => ({
	name,
	tool,
	usesModel: true,
	open: options => openAcp({name, file: tool, args: [...args, ...argsFor(options)]}, options),
});

const claude: Agent = {name: 'claude', tool: 'claude', usesModel: true, open: openClaude};
const codex: Agent = {name: 'codex', tool: 'codex', usesModel: true, open: openCodex};
const gemini = acp('gemini', 'gemini', ['--acp'], ({attachmentFolder}) => [
	`--include-directories=${attachmentFolder}`,
]);
const opencode = acp('opencode', 'opencode', ['acp']);
const droid = acp('droid', 'droid', ['exec', '--output-format', 'acp']);

export const knownAgents: readonly Agent[] = [shell, claude, droid, codex, gemini, opencode];

/**
 * Finds an agent by name; `cmd:...` is the user's own command, `acp:...` their own client of the Agent Client
 * Protocol. Throws `LocalServiceError` if unknown.
 */
export function findAgent(name: string): Agent {
	const own = name.slice(4).trim();
	if (name.startsWith('cmd:') && own !== '') return customAgent(own);
	if (name.startsWith('acp:') && own !== '') return customClient(own);
	const agent = knownAgents.find(each => each.name === name);
	if (agent) return agent;
	const names = knownAgents.map(each => each.name).join(', ');
	throw new LocalServiceError(
		`there is no agent "${name}": choose one of ${names}, cmd:COMMAND or acp:COMMAND`,
	);
}

export function isAgent(name: string): boolean {
	return ifPossible(() => findAgent(name)) !== undefined;
}

/** A user message for an agent that is a command. */
type CommandTurn = {readonly text: string; readonly attachments: readonly Attachment[]};

type AgentKind = {
	readonly name: string;
	/** Name of its program. */
	readonly tool: string;
	readonly usesModel: boolean;
};

/** A new command answers each message. */
export type CommandAgent = AgentKind & {
	/** The program that answers a turn, run in the session's cwd: its output is the answer. */
	command(turn: CommandTurn): Pick<Command, 'file' | 'args' | 'stdin'>;
	readonly open?: undefined;
};

/** A client holds the conversation. */
export type ClientAgent = AgentKind & {open(options: OpenOptions): Promise<AgentSession>};

export type Agent = CommandAgent | ClientAgent;

/** The prompt as one text: the message, then the paths of its saved attachments. */
export function promptOf({text, attachments}: CommandTurn): string {
	if (attachments.length === 0) return text;
	const list = attachments.map(({kind, name, path}) => `- ${kind} ${name}${path ? `: ${path}` : ''}`);
	return `${text}\n\nAttached:\n${list.join('\n')}\n`;
}

/** The user's own command line, run by `sh` with the message on standard input. */
function customAgent(commandLine: string): Agent {
	return {
		name: `cmd:${commandLine}`,
		tool: programOf(commandLine),
		usesModel: true,
		command: turn => ({file: 'sh', args: ['-c', '--', commandLine], stdin: promptOf(turn)}),
	};
}

/** The user's own client, run by `sh`. */
function customClient(commandLine: string): Agent {
	const client = {name: programOf(commandLine), file: 'sh', args: ['-c', '--', commandLine]};
	return {
		name: `acp:${commandLine}`,
		tool: client.name,
		usesModel: true,
		open: options => openAcp(client, options),
	};
}

function programOf(commandLine: string): string {
	return basename(commandLine.split(/\s+/)[0] ?? '');
}
