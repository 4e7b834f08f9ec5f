import type {HookEvent} from '../domain/hook-event.ts';
import {isQuiet, type QuietHours} from '../domain/quiet-hours.ts';
import type {Alert} from '../domain/signal.ts';
import type {Lister} from '../state/lists.ts';
import type {Outbox} from '../state/outbox.ts';
import type {Stores} from '../state/stores.ts';
import type {ViewStore} from '../state/view.ts';
import type {Terminal} from '../term/terminal.ts';

/** A hook event that counted, and what it asks of the user. */
type News = {readonly sessionId: string; readonly event: HookEvent; readonly alert?: Alert};

/** Calls the user who may look elsewhere: by the terminal's notification or bell, and by the count in its title. */
export type Calls = {
	/** One call for each alert of a hook event. */
	hookNews(news: News): void;
	/** One call for a session that was snoozed and still needs the user. */
	snoozeEnded(sessionId: string): void;
	stop(): void;
};

export type CallOptions = {
	readonly stores: Stores;
	readonly lister: Lister;
	readonly view: ViewStore;
	readonly terminal: Pick<Terminal, 'notify' | 'setTitle'>;
	/** Is the session on the screen of a terminal that has the focus? Then nobody has to be called. */
	readonly isBeforeEyes: (sessionId: string) => boolean;
	/** When there are only counts, and no calls. */
	readonly quietHours?: QuietHours | undefined;
	readonly now: () => number;
};

export function createCalls(options: CallOptions): Calls {
	const {stores, lister, view, terminal, isBeforeEyes, quietHours, now} = options;

	/** Everything known, as the screen has it. */
	const known = () =>
		lister.known(stores.fleet.getState(), stores.outbox.getState(), {
			sort: view.getState().sort,
			marks: stores.attention.getState().marks,
		});

	function call(sessionId: string, what: string, words: string): void {
		if (isBeforeEyes(sessionId) || (quietHours && isQuiet(quietHours, now()))) return;
		const name = known().all.sessionsById.get(sessionId)?.name ?? 'An agent';
		terminal.notify(`${name} ${what}`, words);
	}

	let counted: number | undefined;
	function count(): void {
		const {needs} = known().counts;
		if (needs === counted) return;
		counted = needs;
		terminal.setTitle(needs > 0 ? `(${needs}) quarterdeck` : 'quarterdeck');
	}

	const stops = [
		stores.fleet.subscribe(count),
		stores.attention.subscribe(count),
		stores.outbox.subscribe((outbox, before) => {
			count();
			for (const {sessionId, problem} of newlyStuck(before, outbox))
				call(sessionId, 'has a message that was not sent', problem ?? 'It waits for your decision');
		}),
	];

	return {
		hookNews({sessionId, event, alert}) {
			if (alert === undefined || alert === 'done') return;
			const words = event.data.message ?? event.data.cwd ?? event.event;
			call(sessionId, alert === 'error' ? 'failed' : 'needs you', words);
		},
		snoozeEnded(sessionId) {
			const item = known().all.sessionsById.get(sessionId);
			if (item?.group === 'needs')
				call(sessionId, 'still needs you', item.reason ?? 'It was snoozed until now');
		},
		stop() {
			for (const stop of stops) stop();
		},
	};
}

/** Messages that were on their way before and now wait for the user. */
function newlyStuck(before: Outbox, after: Outbox) {
	return [...after.bySession].flatMap(([sessionId, items]) => {
		const old = before.bySession.get(sessionId);
		if (old === items || old === undefined) return [];
		return items.filter(
			item => isStuck(item.state) && old.some(({id, state}) => id === item.id && !isStuck(state)),
		);
	});
}

const isStuck = (state: string) => state === 'failed' || state === 'unconfirmed';
