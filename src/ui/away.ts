import {awayEntries, type ComputerChanges} from '../state/away.ts';
import {conditionOf} from '../state/computer-condition.ts';
import {pushDialog} from '../state/dialogs.ts';
import type {Fleet} from '../state/fleet.ts';
import type {ListBuilder} from '../state/lists.ts';
import type {Stores} from '../state/stores.ts';
import {targets} from '../state/targets.ts';
import type {ViewStore} from '../state/view.ts';
import {type ComposerStore, draftOf, isEmptyDraft} from './composer/composers.ts';
import type {TimeSource} from './kit/ticker.ts';
import {setView} from './set-view.ts';

const minute = 60_000;
/** Length of a pause that "While you were away" covers if it never opens by itself, ms. */
const usualPause = 30 * minute;
/** How often the time of the last key is saved while keys come, ms. */
const saveInterval = 5 * minute;

/** Notices that the user is away, and tells them what has happened since then. */
export type Away = {
	/** Call for each key, paste and report of the mouse. */
	active(): void;
	/** When the last key before the last long pause was pressed, Unix ms. */
	since(): number;
	/** When computers were seen to change, Unix ms. */
	readonly computerChanges: ComputerChanges;
	/** Watches for pauses until the returned function is called. */
	start(): () => void;
};

export type AwayOptions = {
	readonly stores: Stores;
	readonly listBuilder: ListBuilder;
	readonly view: ViewStore;
	readonly composers: ComposerStore;
	readonly clock: TimeSource;
	/** Minutes without a key after which the summary opens by itself; 0: never. */
	readonly minutes: number;
	/** The time of the last key in any program over the same data, Unix ms. */
	readonly lastKey: {load(): number | undefined; save(at: number): void};
};

export function createAway(options: AwayOptions): Away {
	const {stores, listBuilder, view, composers, clock, minutes, lastKey} = options;
	const pause = minutes > 0 ? minutes * minute : usualPause;
	const startedAt = clock.now();
	const saved = lastKey.load();
	const computerChanges = new Map<string, number>();
	/** An earlier run ended long ago: what happened since then is shown once the service has answered. */
	let isAway = saved !== undefined && startedAt - saved >= pause;
	let since = saved ?? startedAt;
	let keyAt = isAway ? since : startedAt;
	let savedAt = saved ?? Number.NEGATIVE_INFINITY;
	let isShown = false;
	let cancel = () => {};

	function entries() {
		const {all} = listBuilder.known(stores.fleet.getState(), stores.outbox.getState(), {
			sort: view.getState().sort,
			marks: stores.attention.getState().marks,
		});
		return awayEntries(all, since, computerChanges);
	}

	/** Opens the summary, unless it would cover a dialog or text that is being typed. */
	function openIfDue(): void {
		if (minutes === 0 || !isAway || isShown || stores.connection.getState().okAt === undefined) return;
		if (isTyping() || entries().length === 0) return;
		isShown = true;
		setView(view, now => pushDialog(now, {kind: 'away', since}));
	}

	function isTyping(): boolean {
		const now = view.getState();
		const {dialogs, isFiltering, find, page, focus} = now;
		if (dialogs.length > 0 || isFiltering || find?.isTyping) return true;
		if (page !== 'work' || focus !== 'composer') return false;
		const composer = composers.getState().bySession.get(targets(now).sessionId ?? '');
		return composer !== undefined && !isEmptyDraft(draftOf(composer));
	}

	function wait(): void {
		cancel();
		// The clock may have been set back.
		keyAt = Math.min(keyAt, clock.now());
		cancel = clock.after(Math.max(0, keyAt + pause - clock.now()), () => {
			// A key in another program over the same data counts, too.
			keyAt = Math.max(keyAt, Math.min(lastKey.load() ?? 0, clock.now()));
			if (clock.now() - keyAt < pause) return wait();
			isAway = true;
			since = keyAt;
			save();
			openIfDue();
		});
	}

	function save(): void {
		if (savedAt === keyAt) return;
		savedAt = keyAt;
		lastKey.save(keyAt);
	}

	function noteChanges(now: Fleet, before: Fleet): void {
		if (now.computers === before.computers) return;
		for (const [id, known] of now.computers) {
			const old = before.computers.get(id);
			if (!old || old === known || old.computer === undefined) continue;
			const stateOf = (one: typeof known) =>
				conditionOf({kind: 'computer', id, name: id, known: one, isFailed: false}).state;
			if (stateOf(old) !== stateOf(known)) computerChanges.set(id, clock.now());
		}
	}

	return {
		computerChanges,
		since: () => since,
		active() {
			const wasAway = isAway;
			keyAt = clock.now();
			isAway = false;
			isShown = false;
			if (keyAt - savedAt >= Math.min(saveInterval, pause / 6)) save();
			if (wasAway) wait();
		},
		start() {
			const stops = [
				stores.fleet.subscribe((now, before) => {
					noteChanges(now, before);
					openIfDue();
				}),
				stores.outbox.subscribe(openIfDue),
				stores.connection.subscribe((now, before) => {
					if (before.okAt === undefined && now.okAt !== undefined) openIfDue();
				}),
			];
			if (!isAway) wait();
			return () => {
				cancel();
				for (const stop of stops) stop();
				save();
			};
		},
	};
}
