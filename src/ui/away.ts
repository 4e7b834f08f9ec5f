import {awayEntries, type ComputerChanges} from '../state/away.ts';
import {conditionOf} from '../state/computers/computer-items.ts';
import type {Fleet} from '../state/fleet.ts';
import {pushDialog} from '../state/view/dialogs.ts';
import {targets} from '../state/view/targets.ts';
import {isWriting, setView, takesText} from '../state/view/view.ts';
import {type ComposerStore, draftOf, isEmptyDraft} from './composer/composers.ts';
import type {TimeSource} from './kit/ticker.ts';
import {type ListParts, unfilteredNow} from './use-lists.ts';

const minute = 60_000;
/** Minimum length of a pause if the summary opens only by hand, ms. */
const manualPause = 30 * minute;
/** Minimum time between saves of the last key's time, ms. */
const saveInterval = 5 * minute;

/** Detects long pauses of the user, and shows them what happened meanwhile. */
export type Away = {
	/** Call for each key, paste and gesture of the mouse, with whether it shows that the terminal has the focus. */
	active(isFocused: boolean): void;
	/** When the last key before the last long pause was pressed, Unix ms. */
	since(): number;
	/** When computers last changed their state while watched, by id; Unix ms. */
	readonly computerChanges: ComputerChanges;
	/** Watches for pauses until the returned function is called. */
	start(): () => void;
};

export type AwayOptions = ListParts & {
	readonly composers: ComposerStore;
	readonly clock: TimeSource;
	/** Minutes without a key after which the summary opens by itself; 0: never. */
	readonly minutes: number;
	/** The time of the last key in any program over the same data, Unix ms. */
	readonly lastKey: {load(): number | undefined; save(at: number): void};
};

export function createAway(options: AwayOptions): Away {
	const {stores, view, composers, clock, minutes, lastKey} = options;
	const pause = minutes > 0 ? minutes * minute : manualPause;
	const startedAt = clock.now();
	const saved = lastKey.load();
	const computerChanges = new Map<string, number>();
	/** True at the start if an earlier run ended long ago; the summary then opens once the service has answered. */
	let isAway = saved !== undefined && startedAt - saved >= pause;
	let since = saved ?? startedAt;
	let lastKeyAt = isAway ? since : startedAt;
	let savedAt = saved ?? Number.NEGATIVE_INFINITY;
	let isShown = false;
	let cancel = () => {};

	function entries() {
		return awayEntries(unfilteredNow(options).all, since, computerChanges);
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
		if (!isWriting(now) || now.dialogs.length > 0) return takesText(now);
		const composer = composers.getState().bySession.get(targets(now).sessionId ?? '');
		return composer !== undefined && !isEmptyDraft(draftOf(composer));
	}

	function awaitPause(): void {
		cancel();
		// The clock may have been set back.
		lastKeyAt = Math.min(lastKeyAt, clock.now());
		cancel = clock.after(Math.max(0, lastKeyAt + pause - clock.now()), () => {
			// A key in another program over the same data counts, too.
			lastKeyAt = Math.max(lastKeyAt, Math.min(lastKey.load() ?? 0, clock.now()));
			if (clock.now() - lastKeyAt < pause) return awaitPause();
			isAway = true;
			since = lastKeyAt;
			save();
			openIfDue();
		});
	}

	function save(): void {
		if (savedAt === lastKeyAt) return;
		savedAt = lastKeyAt;
		lastKey.save(lastKeyAt);
	}

	function recordComputerChanges(now: Fleet, before: Fleet): void {
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
			lastKeyAt = clock.now();
			isAway = false;
			isShown = false;
			if (lastKeyAt - savedAt >= Math.min(saveInterval, pause / 6)) save();
			if (wasAway) awaitPause();
		},
		start() {
			const stops = [
				stores.fleet.subscribe((now, before) => {
					recordComputerChanges(now, before);
					openIfDue();
				}),
				stores.outbox.subscribe(openIfDue),
				stores.connection.subscribe((now, before) => {
					if (before.okAt === undefined && now.okAt !== undefined) openIfDue();
				}),
			];
			if (!isAway) awaitPause();
			return () => {
				cancel();
				for (const stop of stops) stop();
				save();
			};
		},
	};
}
