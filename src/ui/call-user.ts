import type {HookEvent} from '../domain/hook-event.ts';
import type {Alert} from '../domain/signal.ts';
import {listsOf} from '../state/lists.ts';
import type {Stores} from '../state/stores.ts';
import type {Terminal} from '../term/terminal.ts';

/** A hook event that counted, and what it asks of the user. */
type News = {readonly event: HookEvent; readonly alert?: Alert};

/** One call for the user per alert; none for what is before their eyes. */
export function callUser(
	{event, alert: kind}: News,
	terminal: Pick<Terminal, 'notify' | 'setTitle'>,
	isBeforeEyes: boolean,
): void {
	if (kind === undefined || kind === 'done' || isBeforeEyes) return;
	const title = kind === 'error' ? 'An agent failed' : 'An agent needs you';
	terminal.notify(title, event.data.message ?? event.data.cwd ?? event.event);
}

/** The window's title counts the sessions that need the user. */
export function showCount(
	{fleet, outbox}: Stores,
	terminal: Pick<Terminal, 'notify' | 'setTitle'>,
): () => void {
	let shown: number | undefined;
	const update = () => {
		const {needs} = listsOf(fleet.getState(), outbox.getState(), {words: '', needsOnly: false}).counts;
		if (needs === shown) return;
		shown = needs;
		terminal.setTitle(needs > 0 ? `(${needs}) quarterdeck` : 'quarterdeck');
	};
	const stops = [fleet.subscribe(update), outbox.subscribe(update)];
	return () => {
		for (const stop of stops) stop();
	};
}
