import type {Service} from '../api/service.ts';
import {createCachedReads} from './cached-reads.ts';
import type {SavedPrompt} from './saved-prompts.ts';

/** Commands of a session's agent, as prompts. Returns those known, and calls `arrived` when newer ones are read. */
export type CommandFinder = (sessionId: string, arrived: () => void) => readonly SavedPrompt[] | undefined;

/** `now` in ms. */
export function createCommandFinder(
	service: Pick<Service, 'agentRequests'>,
	now: () => number,
): CommandFinder {
	const known = createCachedReads<readonly SavedPrompt[]>(now);
	const read = async (sessionId: string) => {
		// A service that can't be asked has none to offer.
		const commands = await service.agentRequests.commands(sessionId).catch(() => []);
		return commands.map(({name, description, hint}) => ({
			name,
			text: `/${name} `,
			description: [hint, description].filter(Boolean).join(' · '),
			isCommand: true as const,
		}));
	};
	return (sessionId, arrived) => known(sessionId, () => read(sessionId), arrived);
}
