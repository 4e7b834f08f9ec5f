/**
 * The protocol between the hook binary and running programs: one line of JSON each way. Imports only Node built-ins,
 * because the agent waits for the binary and it must start as fast as Node itself.
 */

/** Maximum length of an envelope, bytes of UTF-8 including its newline. */
export const maxLine = 16 * 1024;
export const wireVersion = 1;

/**
 * Environment variable of every process that an embedded service starts. A hook of such an agent reports nothing: the
 * service knows the session, and another row for it would be one too many.
 */
export const startedByVariable = 'QUARTERDECK_STARTED_BY';

/** The forwarded part of an event, by allow-list: never the prompt, tool input or output. */
export type HookData = {
	session_id?: string;
	hook_event_name?: string;
	cwd?: string;
	transcript_path?: string;
	notification_type?: string;
	/** At most 2 KiB. */
	message?: string;
	title?: string;
	reason?: string;
	source?: string;
	permission_mode?: string;
	stop_hook_active?: boolean;
	agent_id?: string;
	agent_type?: string;
	prompt_id?: string;
	turn_id?: string;
	message_id?: string;
	/** Number of background tasks, not their contents. */
	background_tasks?: number;
	error?: string;
	/** Only when turned on; at most 280 characters. */
	last_assistant_message?: string;
	/**
	 * Set when the payload could not be read completely: `empty`, `cut`, `not-json`, `not-object` or
	 * `too-long`.
	 */
	damaged?: string;
	/** Set by `quarterdeck hooks test`: shown as a test, never alerts. */
	test?: boolean;
};

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
};

/** The answer: the id of an envelope that has been saved. */
export type Acknowledgement = {ok: string};
