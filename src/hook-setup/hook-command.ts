import {dirname, join} from 'node:path';
import {type Client, type ClientName, secondsIn, timeoutOf} from './clients.ts';
import type {Wanted} from './plan-change.ts';

/** What a hook command runs. Both paths are absolute. */
export type HookCommand = {
	readonly node: string;
	readonly hook: string;
	readonly client: ClientName;
	/** Also forward the beginning of the last assistant message. */
	readonly hasLastMessage?: boolean;
	/** Runs the hook that waits for the user's answer, this long at most. */
	readonly waitSeconds?: number;
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

const runsNode = `${nodeVariables.map(name => `${name}= `).join('')}"$0" "$@" --agent-pid $PPID`;

/**
 * Runs Node and the hook (`$0`, `$@`), prints nothing and exits with 0, even if Node can't start or runs out
 * of memory. A signal to the shell lets the hook finish. `$PPID` is the agent.
 */
const runner = `{ trap : HUP INT TERM; ulimit -c 0; ${runsNode}; } >/dev/null 2>&1; exit 0`;

/**
 * The same for the hook that waits: its output is the user's decision. It gives up as soon as the client ends the
 * shell. A command in the background gets its input by another descriptor, as its own would be empty.
 */
const waitingRunner = `{ exec 3<&0; trap "kill \\$p" HUP INT TERM; ulimit -c 0; ${runsNode} <&3 3<&- & p=$!; wait $p; } 2>/dev/null; exit 0`;

/**
 * The command for a client's settings; runs in any POSIX shell and in fish. Silently does nothing once our
 * files are gone. Replaces the client's shell (`exec`), so that the runner's parent is the agent.
 */
export function formatHookCommand({
	node,
	hook,
	client,
	hasLastMessage = false,
	waitSeconds,
}: HookCommand): string {
	const [nodeWord, hookWord] = [quote(node), quote(hook)];
	const wait = waitSeconds === undefined ? '' : ` --wait ${waitSeconds}`;
	const options = `--client ${client}${hasLastMessage ? ' --last-message' : ''}${wait}`;
	const script = waitSeconds === undefined ? runner : waitingRunner;
	return `${mark} [ -x ${nodeWord} ] && [ -f ${hookWord} ] && [ -x /bin/sh ] && exec /bin/sh -c ${quote(script)} ${nodeWord} ${hookWord} ${options}; exit 0`;
}

/** Where the program is installed; both paths are absolute. */
export type Program = {readonly node: string; readonly hook: string};

/** What the user chose beyond reporting. */
export type HookOptions = Pick<HookCommand, 'hasLastMessage' | 'waitSeconds'>;

/** The client ends a hook that waits only after the hook has given up by itself, s. */
const waitSlack = 30;

/** The handlers a client's settings should hold for the running program. */
export function wantedHandlers(
	client: Client,
	{node, hook}: Program,
	{hasLastMessage = false, waitSeconds}: HookOptions = {},
): Wanted[] {
	const command = formatHookCommand({node, hook, client: client.name, hasLastMessage});
	const handlers = client.events.map(event => ({event, command, timeout: timeoutOf(client, event)}));
	const {answerEvent} = client;
	if (waitSeconds === undefined || answerEvent === undefined) return handlers;
	return [
		...handlers,
		{
			event: answerEvent,
			command: formatHookCommand({node, hook: answerHook(hook), client: client.name, waitSeconds}),
			timeout: secondsIn(client, waitSeconds + waitSlack),
		},
	];
}

/** The hook that waits lies beside the other one. */
function answerHook(hook: string): string {
	return join(dirname(hook), 'answer-hook.cjs');
}

/** Whether this is one of our commands, from any release. */
export function isHookCommand(command: string): boolean {
	return command.startsWith(mark);
}

/** Parses one of our commands; undefined for any other command and for one edited by hand. */
export function readHookCommand(command: string): HookCommand | undefined {
	const word = String.raw`('(?:[^']|'\\'')*')`;
	const found = new RegExp(
		` ${word} ${word} --client ([a-z]+)( --last-message)?(?: --wait ([0-9]+))?; exit 0$`,
	).exec(command);
	if (!found) return undefined;
	const [, node = '', hook = '', client = '', lastMessage, wait] = found;
	const read: HookCommand = {
		node: unquote(node),
		hook: unquote(hook),
		client: client as ClientName,
		hasLastMessage: lastMessage !== undefined,
		...(wait !== undefined && {waitSeconds: Number(wait)}),
	};
	return formatHookCommand(read) === command ? read : undefined;
}

function quote(path: string): string {
	return `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

function unquote(word: string): string {
	return word.slice(1, -1).replaceAll(String.raw`'\''`, "'");
}
