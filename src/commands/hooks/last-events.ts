import type {CommandContext} from '../context.ts';

/** The newest event of one client. `at` is Unix ms. */
export type LastEvent = {readonly client: string; readonly event: string; readonly at: number};

/** How many events to look back through. */
const looked = 5000;

/** The newest event of each client among those saved by this profile, newest first. Includes test events. */
export async function lastEvents({wiring, output}: CommandContext): Promise<LastEvent[] | undefined> {
	try {
		const database = await (await wiring()).database();
		const found = new Map<string, LastEvent>();
		for (const {client, event, ts} of database.events.recent(looked))
			if (!found.has(client)) found.set(client, {client, event, at: ts});
		return [...found.values()];
	} catch (error) {
		output.note(`the saved events can't be read: ${(error as Error).message}`);
		return undefined;
	}
}
