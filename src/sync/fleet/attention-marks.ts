import {lowest} from '../../domain/large-arrays.ts';
import {isEqual} from '../../domain/objects.ts';
import {type AttentionMark, type Subject, subjectKey} from '../../domain/sessions/attention.ts';
import type {AttentionStore} from '../../state/stores.ts';
import type {EngineParts} from '../engine-parts.ts';

/** Marks older than this are removed on load, ms. */
const maxMarkAge = 30 * 24 * 60 * 60_000;

type AttentionMarksOptions = Pick<EngineParts, 'database' | 'safeWrite' | 'clock'> & {
	readonly store: AttentionStore;
	readonly onSnoozeEnd: (subject: Subject) => void;
};

/** Saves the user's acknowledgments and snoozes, first to disk and then to the store, and ends each snooze on time. */
export class AttentionMarks {
	readonly #options: AttentionMarksOptions;
	#isStarted = false;
	#cancel: (() => void) | undefined;

	constructor(options: AttentionMarksOptions) {
		this.#options = options;
	}

	/** Fills the store from disk, including marks that other programs wrote. */
	load(): void {
		const {database, store, safeWrite, clock} = this.#options;
		const now = clock.now();
		const marks = database.attention.all();
		const isPast = (mark: AttentionMark) => isOver(mark, now) || mark.at < now - maxMarkAge;
		for (const {subject} of marks.filter(isPast)) safeWrite(() => database.attention.remove(subject));
		const current = marks.filter(mark => !isPast(mark));
		// Each change sorts all sessions again, and other programs write all the time.
		if (!isEqual([...store.getState().marks.values()], current))
			store.setState({marks: new Map(current.map(mark => [subjectKey(mark.subject), mark]))});
		this.#scheduleNextEnd();
	}

	start(): void {
		this.#isStarted = true;
		this.#scheduleNextEnd();
	}

	stop(): void {
		this.#isStarted = false;
		this.#cancel?.();
	}

	put(mark: AttentionMark): void {
		const {database, store, safeWrite} = this.#options;
		safeWrite(() => database.attention.put(mark));
		store.setState(({marks}) => ({marks: new Map(marks).set(subjectKey(mark.subject), mark)}));
		this.#scheduleNextEnd();
	}

	/** Removes the mark of a session or computer, if there is one. */
	remove(subject: Subject): void {
		if (!this.#options.store.getState().marks.has(subjectKey(subject))) return;
		this.#delete(subject);
		this.#scheduleNextEnd();
	}

	#scheduleNextEnd(): void {
		this.#cancel?.();
		this.#cancel = undefined;
		const {store, clock} = this.#options;
		const ends = [...store.getState().marks.values()].flatMap(({until}) => until ?? []);
		if (!this.#isStarted || ends.length === 0) return;
		this.#cancel = clock.after(Math.max(0, lowest(ends) - clock.now()), () => this.#endSnoozes());
	}

	#endSnoozes(): void {
		const {store, clock, onSnoozeEnd} = this.#options;
		const over = [...store.getState().marks.values()].filter(mark => isOver(mark, clock.now()));
		for (const {subject} of over) this.#delete(subject);
		this.#scheduleNextEnd();
		for (const {subject} of over) onSnoozeEnd(subject);
	}

	#delete(subject: Subject): void {
		const {database, store, safeWrite} = this.#options;
		safeWrite(() => database.attention.remove(subject));
		store.setState(({marks}) => {
			const rest = new Map(marks);
			rest.delete(subjectKey(subject));
			return {marks: rest};
		});
	}
}

function isOver({until}: AttentionMark, now: number): boolean {
	return until !== undefined && until <= now;
}
