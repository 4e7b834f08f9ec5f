import {createStore, type StoreApi} from 'zustand/vanilla';
import type {AttentionMark} from '../domain/attention.ts';

/** What the user acknowledged or snoozed, by session id. A mark counts while its episode lasts (`episodeOf`). */
export type Attention = {readonly marks: ReadonlyMap<string, AttentionMark>};
export type AttentionStore = StoreApi<Attention>;

export function createAttentionStore(): AttentionStore {
	return createStore<Attention>(() => ({marks: new Map()}));
}
