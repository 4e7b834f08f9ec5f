import {type Client, timeoutOf} from './clients.ts';
import {formatHookCommand} from './hook-command.ts';
import type {Wanted} from './plan-change.ts';

/** Where the program is installed; both paths are absolute. */
export type Program = {readonly node: string; readonly hook: string};

/** The handlers a client's settings should hold for the running program. */
export function wantedHandlers(client: Client, program: Program, hasLastMessage = false): Wanted[] {
	const command = formatHookCommand({...program, client: client.name, hasLastMessage});
	return client.events.map(event => ({event, command, timeout: timeoutOf(client, event)}));
}
