import type {TextField} from './envelope.ts';

/**
 * The protocol between the hook binary and running programs: one line of JSON each way. Imports only Node built-ins,
 * because the agent waits for the binary and it must start as fast as Node itself.
 */

/** Maximum length of an envelope, bytes of UTF-8 including its newline. */
export const maxLine = 16 * 1024;
export const wireVersion = 1;

/**
 * Environment variable of every process that an embedded service starts. A hook of such an agent reports nothing: the
 * service already lists the session.
 */
export const startedByVariable = 'QUARTERDECK_STARTED_BY';

/** The forwarded part of an event, by allow-list: never the prompt, tool input or output. */
export type HookData = {[Field in TextField]?: string} & {
	stop_hook_active?: boolean;
	/** Number of background tasks, not their contents. */
	background_tasks?: number;
	/** Only when turned on; at most 280 characters. */
	last_assistant_message?: string;
	/** Set when the payload could not be read completely: `empty`, `cut`, `not-json`, `not-object` or `too-long`. */
	damaged?: string;
	/** Set by `quarterdeck hooks test`: shown as a test, never alerts. */
	test?: boolean;
};

/** The computer of an event that wasn't reported on this machine. `ts` is the event's time by the clock there. */
export type EventComputer = {id: string; name: string; ts: number};

/** One event as sent to running programs. `ts` is Unix ms at the hook's first line; `id` a UUID. */
export type Envelope = {
	v: number;
	id: string;
	ts: number;
	/** Client named on the hook's command line (`claude`, `droid`, `codex`, ...), or empty. */
	client: string;
	event: string;
	pid: number;
	agentPid: number;
	data: HookData;
	/** Absent for an event of this machine. Programs know the computer by its id. */
	computer?: EventComputer;
};

/** The answer: the id of an envelope that has been saved. */
export type Acknowledgement = {ok: string};
