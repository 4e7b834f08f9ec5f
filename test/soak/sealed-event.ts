import {createHash} from 'node:crypto';
import type {HookData} from '../../hooks/wire.ts';

/** Events whose text tells whether a byte of it was lost or belongs to another. */
const clients = ['claude', 'droid', 'qwen', 'gemini', 'codex'] as const;
const sessions = 40;

export const clientOf = (number: number): string => clients[number % clients.length] ?? '';
export const sessionOf = (number: number): string => `session-${number % sessions}`;

/** What agents fire, more or less: a session works, asks, stops, and at times ends. */
export function eventMix(number: number): {event: string; data: HookData} {
	switch (Math.floor(number / sessions) % 10) {
		case 0:
			return {event: 'SessionStart', data: {source: 'startup'}};
		case 1:
		case 4:
			return {event: 'UserPromptSubmit', data: {}};
		case 2:
			return {event: 'Notification', data: {notification_type: 'permission_prompt', message: 'May I?'}};
		case 3:
		case 6:
			return {event: 'Stop', data: {stop_hook_active: false}};
		case 5:
			return {event: 'SubagentStop', data: {agent_type: 'explorer'}};
		case 9:
			return {event: 'SessionEnd', data: {reason: 'other'}};
		default:
			return {event: 'Notification', data: {notification_type: 'auth_success', message: 'signed in'}};
	}
}

/** A text that only this id can have: `length` wide characters and what they and the id sum up to. */
export function sealedMessage(id: string, length: number): string {
	const body = '界🙂é'.repeat(length).slice(0, length);
	return `${length}:${body.toWellFormed()}:${createHash('sha256').update(`${id}${length}`).digest('hex').slice(0, 16)}`;
}

export function isSealed(id: string, text: string | undefined): boolean {
	const length = Number(/^(\d+):/.exec(text ?? '')?.[1] ?? Number.NaN);
	return Number.isInteger(length) && text === sealedMessage(id, length);
}
