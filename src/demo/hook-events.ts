import {randomUUID} from 'node:crypto';
import {wireVersion} from '../../hooks/wire.ts';
import type {HookEvent} from '../domain/sessions/signal.ts';

const reports: readonly (readonly [session: number, minutesAgo: number, event: string, message?: string])[] =
	[
		[0, 41, 'SessionStart'],
		[0, 40, 'UserPromptSubmit'],
		[1, 33, 'SessionStart'],
		[1, 32, 'UserPromptSubmit'],
		[0, 22, 'Stop'],
		[1, 17, 'Notification', 'Claude needs your permission to use Bash'],
		[1, 16, 'PostToolUse'],
		[0, 12, 'UserPromptSubmit'],
		[1, 5, 'Stop'],
	];
const folders = ['dotfiles', 'blog'];

/** What the hooks of two sessions in other terminals have reported, oldest first. */
export function sampleEvents(home: string, now: number): readonly HookEvent[] {
	const ids = folders.map(() => randomUUID());
	return reports.map(([session, minutesAgo, event, message]) => {
		const ts = now - minutesAgo * 60_000;
		return {
			v: wireVersion,
			id: randomUUID(),
			ts,
			receivedAt: ts + 11,
			delivery: 'socket',
			client: 'claude',
			event,
			pid: 41_207,
			agentPid: 38_116 + session,
			data: {
				session_id: ids[session] ?? '',
				cwd: `${home}/${folders[session]}`,
				...(message && {message, notification_type: 'permission_prompt'}),
			},
		};
	});
}
