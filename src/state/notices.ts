import type {StoreApi} from 'zustand/vanilla';

/** A short message in the footer. `text` is raw and sanitized when drawn. `at` is Unix ms. */
export type Notice = {
	readonly id: number;
	readonly tone: 'info' | 'good' | 'bad';
	readonly text: string;
	readonly at: number;
	/** When it ends, Unix ms; by default, after the time that its tone takes to read. */
	readonly until?: number;
	/** Whether its cause is still there; if not, it is withdrawn. */
	readonly isCurrent?: () => boolean;
	/** Whether the next notice ends it instead of only covering it: the refusal of a key. */
	readonly endsWithNext?: boolean;
};
export type Notices = {
	readonly list: readonly Notice[];
	/** Notices of before too, newest first: the footer cuts long ones. */
	readonly latest: readonly Notice[];
};
export type NoticeStore = StoreApi<Notices>;

const maxNotices = 20;
const maxLatest = 3;
let lastId = 0;

/** How long a notice stays, ms: long enough to read once. An error stays about twice as long. */
const shownFor = {info: 4000, good: 4000, bad: 9000} as const;

/** Adds a notice, and drops those that end with it and the oldest. */
export function addNotice(store: NoticeStore, notice: Omit<Notice, 'id'>): void {
	const added = {...notice, id: ++lastId};
	store.setState(({list, latest}) => ({
		list: [...list.filter(({endsWithNext}) => !endsWithNext), added].slice(-maxNotices),
		latest: [added, ...latest].slice(0, maxLatest),
	}));
}

/** When a notice ends, Unix ms. */
export function endOf({until, at, tone}: Notice): number {
	return until ?? at + shownFor[tone];
}

/** Removes a notice, and the older ones that it covered unless they are still current. */
export function withdrawNotice(store: NoticeStore, id: number, now: number): void {
	const stays = (notice: Notice) =>
		notice.id > id || (notice.id < id && endOf(notice) > now && notice.isCurrent?.() === true);
	store.setState(({list}) => ({list: list.filter(stays)}));
}

/** Removes the notices whose cause is gone. */
export function withdrawOutdated(store: NoticeStore): void {
	store.setState(({list}) => ({list: list.filter(({isCurrent}) => isCurrent?.() !== false)}));
}
