import type {ClientName} from './clients.ts';

/** What a hook command runs. Both paths are absolute. */
export type HookCommand = {
	readonly node: string;
	readonly hook: string;
	readonly client: ClientName;
	/** Forward the beginning of the last assistant message too. */
	readonly hasLastMessage?: boolean;
};

/** What tells our commands from everyone else's, whatever their paths, release and options are. */
const mark = ': quarterdeck-hook;';

/** Variables by which a Node that the user debugs, covers or configures fails, hangs, writes or takes long. */
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
 * Runs Node and hook (`$0`, `$@`) and ends with 0, in silence, whatever becomes of Node: also when it can't start or is
 * killed for its memory. A signal to the shell lets the hook finish. `$PPID` is the agent.
 */
const runner = `{ trap : HUP INT TERM; ulimit -c 0; ${nodeVariables
	.map(name => `${name}= `)
	.join('')}"$0" "$@" --agent-pid $PPID; } >/dev/null 2>&1; exit 0`;

/**
 * The command to put into a client's settings: for any POSIX shell, and fish. It does nothing, in silence, once our
 * files are gone. It replaces the client's shell, so that the parent of the runner is the agent.
 */
export function formatHookCommand({node, hook, client, hasLastMessage = false}: HookCommand): string {
	const [nodeWord, hookWord] = [quote(node), quote(hook)];
	const options = `--client ${client}${hasLastMessage ? ' --last-message' : ''}`;
	return `${mark} [ -x ${nodeWord} ] && [ -f ${hookWord} ] && [ -x /bin/sh ] && exec /bin/sh -c ${quote(runner)} ${nodeWord} ${hookWord} ${options}; exit 0`;
}

/** Is this command one of ours, of any release? */
export function isHookCommand(command: string): boolean {
	return command.startsWith(mark);
}

/** What one of our commands runs; undefined for another's, and for one that was changed by hand. */
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
