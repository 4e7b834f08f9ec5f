import {createStore, type StoreApi} from 'zustand/vanilla';

/** A short message in the footer. `text` is raw and sanitized when drawn. `at` is Unix ms. */
export type Notice = {
	readonly id: number;
	readonly tone: 'info' | 'good' | 'bad';
	readonly text: string;
	readonly at: number;
	/** Shown for a minute. */
	readonly isLasting?: boolean;
};
export type Notices = {readonly list: readonly Notice[]};
export type NoticeStore = StoreApi<Notices>;

const maxNotices = 20;

export function createNoticeStore(): NoticeStore {
	return createStore<Notices>(() => ({list: []}));
}

/** Adds a notice; the oldest are dropped. */
export function addNotice(store: NoticeStore, notice: Omit<Notice, 'id'>): void {
	store.setState(({list}) => ({
		list: [...list, {...notice, id: (list.at(-1)?.id ?? 0) + 1}].slice(-maxNotices),
	}));
}
