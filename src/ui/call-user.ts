import {addCall, type Call, type Called, endPause, type Held, pauseAfterCall} from '../domain/call-pause.ts';
import type {HookEvent} from '../domain/hook-event.ts';
import {isQuiet, type QuietHours} from '../domain/quiet-hours.ts';
import type {Alert} from '../domain/signal.ts';
import type {Lister} from '../state/lists.ts';
import type {Outbox} from '../state/outbox.ts';
import type {Stores} from '../state/stores.ts';
import type {ViewStore} from '../state/view.ts';
import type {Terminal} from '../term/terminal.ts';
import type {TimeSource} from './kit/ticker.ts';

/** A hook event that counted, and what it asks of the user. */
type HookUpdate = {readonly sessionId: string; readonly event: HookEvent; readonly alert?: Alert};

/**
 * Calls the user who may look elsewhere: by the terminal's notification or bell, and by the count in its title. The
 * first call after a rest is made at once; those of the next seconds are one (`addCall`), which says how many agents
 * need the user and names those that are new. One that was answered by then calls nobody.
 */
export type Calls = {
	/** A call for each alert of a hook event. */
	hookUpdate(update: HookUpdate): void;
	/** A call for a session that was snoozed and still needs the user. */
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
	/** Is there a call, too, when an agent is done? */
	readonly isCalledWhenDone?: boolean;
	readonly clock: TimeSource;
};

const doing: Readonly<Record<Alert, string>> = {'needs-you': 'needs you', error: 'failed', done: 'is done'};

/** So many names of those that call together: the terminal shows a line or two. */
const named = 5;

export function createCalls(options: CallOptions): Calls {
	const {stores, lister, view, terminal, isBeforeEyes, quietHours, isCalledWhenDone, clock} = options;

	/** Everything known, as the screen has it. */
	const known = () =>
		lister.known(stores.fleet.getState(), stores.outbox.getState(), {
			sort: view.getState().sort,
			marks: stores.attention.getState().marks,
		});

	const itemOf = (sessionId: string) => known().all.sessionsById.get(sessionId);
	const nameOf = (sessionId: string) => itemOf(sessionId)?.name ?? 'An agent';
	const isWanted = (sessionId: string) =>
		!isBeforeEyes(sessionId) && !(quietHours && isQuiet(quietHours, clock.now()));

	let held: Held;
	let cancel = () => {};

	function call(one: Call): void {
		if (isWanted(one.sessionId)) tell(addCall(held, one));
	}

	/** Does it still need the user, or is it still done? Of one that isn't known nothing tells that it is not. */
	function isDue({sessionId, isNeed}: Call): boolean {
		const group = itemOf(sessionId)?.group;
		const isSo = group === undefined || (isNeed ? group === 'needs' : group !== 'working');
		return isSo && isWanted(sessionId);
	}

	function tell(called: Called): void {
		const {told} = called;
		held = called.held;
		const [first] = told;
		if (!first) return;
		cancel();
		cancel = clock.after(pauseAfterCall, () => tell(endPause(held, isDue)));
		if (told.length === 1) terminal.notify(`${nameOf(first.sessionId)} ${first.what}`, first.words);
		else terminal.notify(countOf(told), namesOf(told));
	}

	/** All who need the user now, so that no call hides what an earlier one told, and those that are done since. */
	function countOf(told: readonly Call[]): string {
		const asking = told.filter(({isNeed}) => isNeed).length;
		const done = told.length - asking;
		if (asking === 0) return `${done} agents are done`;
		const needs = Math.max(known().counts.needs, asking);
		const words = needs === 1 ? '1 agent needs you' : `${needs} agents need you`;
		return done > 0 ? `${words}, ${done} done` : words;
	}

	function namesOf(told: readonly Call[]): string {
		const names = told.slice(0, named).map(({sessionId}) => nameOf(sessionId));
		const more = told.length - names.length;
		return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
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
				call({
					sessionId,
					isNeed: true,
					what: 'has a message that was not sent',
					words: problem ?? 'It waits for your decision',
				});
		}),
	];

	return {
		hookUpdate({sessionId, event, alert}) {
			if (alert === undefined || (alert === 'done' && !isCalledWhenDone)) return;
			const {message, last_assistant_message: answer, cwd} = event.data;
			const words = message ?? answer ?? cwd ?? event.event;
			call({sessionId, isNeed: alert !== 'done', what: doing[alert], words});
		},
		snoozeEnded(sessionId) {
			const item = itemOf(sessionId);
			if (item?.group === 'needs')
				call({
					sessionId,
					isNeed: true,
					what: 'still needs you',
					words: item.reason ?? 'It was snoozed until now',
				});
		},
		stop() {
			cancel();
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
