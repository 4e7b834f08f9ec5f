import {createStore, type StoreApi} from 'zustand/vanilla';
import type {AttentionMark} from '../domain/sessions/attention.ts';

/**
 * Sessions and computers the user acknowledged or snoozed, by `subjectKey`. A mark is valid for the duration of its
 * episode (`episodeOf`).
 */
export type Attention = {readonly marks: ReadonlyMap<string, AttentionMark>};
export type AttentionStore = StoreApi<Attention>;

export function createAttentionStore(): AttentionStore {
	return createStore<Attention>(() => ({marks: new Map()}));
}
