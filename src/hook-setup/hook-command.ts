import {type Client, type ClientName, timeoutOf} from './clients.ts';
import type {Wanted} from './plan-change.ts';

/** What a hook command runs. Both paths are absolute. */
export type HookCommand = {
	readonly node: string;
	readonly hook: string;
	readonly client: ClientName;
	/** Also forward the beginning of the last assistant message. */
	readonly hasLastMessage?: boolean;
};

/** Identifies our commands, whatever their paths, release and options. */
const mark = ': quarterdeck-hook;';

/** Debug, coverage and configuration variables that make Node fail, hang, print or run slowly. */
const nodeVariables = [
	'NODE_OPTIONS',
	'NODE_DEBUG',
	'NODE_DEBUG_NATIVE',
	'NODE_CHANNEL_FD',
	'NODE_V8_COVERAGE',
	'NODE_REDIRECT_WARNINGS',
	'NODE_EXTRA_CA_CERTS',
	'NODE_ICU_DATA',
	'OPENSSL_CONF',
];

/**
 * Runs Node and the hook (`$0`, `$@`), prints nothing and exits with 0, even if Node can't start or runs out
 * of memory. A signal to the shell lets the hook finish. `$PPID` is the agent.
 */
const runner = `{ trap : HUP INT TERM; ulimit -c 0; ${nodeVariables
	.map(name => `${name}= `)
	.join('')}"$0" "$@" --agent-pid $PPID; } >/dev/null 2>&1; exit 0`;

/**
 * The command for a client's settings; runs in any POSIX shell and in fish. Silently does nothing once our
 * files are gone. Replaces the client's shell (`exec`), so that the runner's parent is the agent.
 */
export function formatHookCommand({node, hook, client, hasLastMessage = false}: HookCommand): string {
	const [nodeWord, hookWord] = [quote(node), quote(hook)];
	const options = `--client ${client}${hasLastMessage ? ' --last-message' : ''}`;
	return `${mark} [ -x ${nodeWord} ] && [ -f ${hookWord} ] && [ -x /bin/sh ] && exec /bin/sh -c ${quote(runner)} ${nodeWord} ${hookWord} ${options}; exit 0`;
}

/** Where the program is installed; both paths are absolute. */
export type Program = {readonly node: string; readonly hook: string};

/** The handlers a client's settings should hold for the running program. */
export function wantedHandlers(client: Client, program: Program, hasLastMessage = false): Wanted[] {
	const command = formatHookCommand({...program, client: client.name, hasLastMessage});
	return client.events.map(event => ({event, command, timeout: timeoutOf(client, event)}));
}

/** Whether this is one of our commands, from any release. */
export function isHookCommand(command: string): boolean {
	return command.startsWith(mark);
}

/** Parses one of our commands; undefined for any other command and for one edited by hand. */
export function readHookCommand(command: string): HookCommand | undefined {
	const word = String.raw`('(?:[^']|'\\'')*')`;
	const found = new RegExp(` ${word} ${word} --client ([a-z]+)( --last-message)?; exit 0$`).exec(command);
	if (!found) return undefined;
	const [, node = '', hook = '', client = '', lastMessage] = found;
	const read: HookCommand = {
		node: unquote(node),
		hook: unquote(hook),
		client: client as ClientName,
		hasLastMessage: lastMessage !== undefined,
	};
	return formatHookCommand(read) === command ? read : undefined;
}

function quote(path: string): string {
	return `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

function unquote(word: string): string {
	return word.slice(1, -1).replaceAll(String.raw`'\''`, "'");
}
