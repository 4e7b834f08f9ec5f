import {type Client, type ClientName, secondsIn, timeoutOf} from './clients.ts';
import type {Wanted} from './plan-change.ts';

type HookCommand = {
	/** Absolute. */
	readonly launcher: string;
	readonly client: ClientName;
	/** Also forward the beginning of the last assistant message. */
	readonly hasLastMessage?: boolean;
	/** Runs the hook that waits for the user's answer, this long at most. */
	readonly waitSeconds?: number;
};

/**
 * The command for a client's settings; runs in any POSIX shell and in fish. What only it can do is to stay silent when
 * the launcher is gone, or its shell can't start.
 */
export function formatHookCommand({
	launcher,
	client,
	hasLastMessage = false,
	waitSeconds,
}: HookCommand): string {
	const wait = waitSeconds === undefined ? '' : ` --wait ${waitSeconds}`;
	const options = `--client ${client}${hasLastMessage ? ' --last-message' : ''}${wait}`;
	return `${quote(launcher)} ${options} 2>/dev/null || true`;
}

/** What the user chose beyond reporting. */
export type HookOptions = Pick<HookCommand, 'hasLastMessage' | 'waitSeconds'>;

/** The client ends a hook that waits only after the hook has given up by itself, s. */
const waitSlack = 30;

/** The handlers that a client's settings should hold. */
export function wantedHandlers(
	client: Client,
	launcher: string,
	{hasLastMessage = false, waitSeconds}: HookOptions = {},
): Wanted[] {
	const command = formatHookCommand({launcher, client: client.name, hasLastMessage});
	const handlers = client.events.map(event => ({event, command, timeout: timeoutOf(client, event)}));
	const {answerEvent} = client;
	if (waitSeconds === undefined || answerEvent === undefined) return handlers;
	return [
		...handlers,
		{
			event: answerEvent,
			command: formatHookCommand({launcher, client: client.name, waitSeconds}),
			timeout: secondsIn(client, waitSeconds + waitSlack),
		},
	];
}

const launcherWord = String.raw`^('(?:[^']|'\\'')*/quarterdeck-hook')`;

/** Whether this is one of our commands, wherever its launcher is and whatever its options. */
export function isHookCommand(command: string): boolean {
	return new RegExp(`${launcherWord} --client `).test(command);
}

/** Parses one of our commands; undefined for any other command and for one edited by hand. */
export function readHookCommand(command: string): HookCommand | undefined {
	const found = new RegExp(`${launcherWord} --client ([a-z]+)( --last-message)?(?: --wait ([0-9]+))? `).exec(
		command,
	);
	if (!found) return undefined;
	const [, launcher = '', client = '', lastMessage, wait] = found;
	const read: HookCommand = {
		launcher: unquote(launcher),
		client: client as ClientName,
		hasLastMessage: lastMessage !== undefined,
		waitSeconds: wait === undefined ? undefined : Number(wait),
	};
	return formatHookCommand(read) === command ? read : undefined;
}

export function quote(path: string): string {
	return `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

export function unquote(word: string): string {
	return word.slice(1, -1).replaceAll(String.raw`'\''`, "'");
}
