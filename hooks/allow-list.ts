import type {HookData} from './wire.ts';

/**
 * The text fields that leave the agent's machine-readable payload, with their longest length in bytes of UTF-8
 * (HOOKS.md, The binary). What isn't named here isn't forwarded: no prompt, no tool input or output.
 */
const texts = {
	session_id: 256,
	hook_event_name: 64,
	cwd: 4096,
	transcript_path: 4096,
	notification_type: 64,
	message: 2048,
	title: 256,
	reason: 256,
	source: 64,
	permission_mode: 64,
	agent_id: 256,
	agent_type: 128,
	prompt_id: 256,
	turn_id: 256,
	message_id: 256,
	error: 2048,
} as const;

export type TextField = keyof typeof texts;
export const textFields = Object.keys(texts) as TextField[];

/** Longest last assistant message, in characters. */
const lastMessageLength = 280;

type Source = {readonly [key: string]: unknown};

/** The allowed part of a client's payload. Fields may be camelCase, missing, null or of the wrong type. */
export function pickPayload(payload: Source, hasLastMessage: boolean): HookData {
	const data: HookData = {};
	for (const field of textFields) {
		const text = asText(payload[field]) ?? asText(payload[toCamelCase(field)]);
		if (text) data[field] = cutText(text, texts[field]);
	}
	const isActive = payload.stop_hook_active ?? payload.stopHookActive;
	if (typeof isActive === 'boolean') data.stop_hook_active = isActive;
	const background = asCount(payload.background_tasks) ?? asCount(payload.backgroundTasks);
	if (background !== undefined) data.background_tasks = background;
	if (payload.quarterdeck_test === true) data.test = true;
	if (hasLastMessage) {
		const last = asText(payload.last_assistant_message) ?? asText(payload.lastAssistantMessage);
		if (last) data.last_assistant_message = [...last.slice(0, 4096)].slice(0, lastMessageLength).join('');
	}
	return data;
}

/** The same list for data that came over the wire: whoever wrote it, nothing else gets in. */
export function pickData(source: Source): HookData {
	const data = pickPayload(source, true);
	if (source.test === true) data.test = true;
	if (typeof source.damaged === 'string') data.damaged = cutText(source.damaged, 32);
	return data;
}

/** At most `bytes` of UTF-8, never half a character. */
export function cutText(text: string, bytes: number): string {
	// A character of the string is at most three bytes, so most texts need no count.
	if (text.length * 3 <= bytes) return text;
	const whole = Buffer.from(text.slice(0, bytes + 1));
	if (whole.length <= bytes) return text;
	let end = bytes;
	while (end > 0 && ((whole[end] ?? 0) & 0xc0) === 0x80) end--;
	return whole.toString('utf8', 0, end);
}

export function toCamelCase(field: string): string {
	return field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Texts, numbers (some clients count their ids) and the message of an error object. */
function asText(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return String(value);
	if (typeof value === 'object' && value && 'message' in value && typeof value.message === 'string')
		return value.message;
	return undefined;
}

function asCount(value: unknown): number | undefined {
	if (Array.isArray(value)) return value.length;
	return typeof value === 'number' && value >= 0 && Number.isSafeInteger(value) ? value : undefined;
}
