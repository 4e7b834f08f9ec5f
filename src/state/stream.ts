import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Message, MessageRole} from '../domain/message.ts';
import type {Problem} from './fleet.ts';

/** One entry of a session's stream in display order. `version` goes up whenever what is drawn may have changed. */
export type StreamEntry =
	| {
			readonly kind: 'message';
			readonly id: string;
			readonly version: number;
			readonly message: Message;
			/** Absent until evidence says who wrote it. */
			readonly role?: MessageRole;
			/** It was shown before its role was known: it stays laid out as it was, so that nothing moves. */
			readonly isRoleLate?: true;
	  }
	/** Messages that exist but were not read yet; fills by itself when it comes on screen. */
	| {readonly kind: 'gap'; readonly id: string; readonly version: number};

/** How far the follower of the open session is. `walking` is the first read of a service that lists oldest first. */
export type StreamPhase =
	| {readonly name: 'loading'}
	| {readonly name: 'walking'; readonly read: number; readonly total?: number}
	| {readonly name: 'ready'}
	| {readonly name: 'failed'; readonly problem: Problem};

/** The loaded part of one open session's messages. */
export type Stream = {
	readonly sessionId: string;
	readonly entries: readonly StreamEntry[];
	/** Older messages exist (in the cache or at the service) than the first entry. */
	readonly hasOlder: boolean;
	/** Newer messages exist than the last entry: a stretch of the history is shown. */
	readonly hasNewer?: boolean;
	/** The service is being asked for older messages. */
	readonly isAskingOlder?: boolean;
	readonly phase: StreamPhase;
	/** When the newest answer was applied (Unix ms); absent when only the cache is shown. */
	readonly readAt?: number;
};

/** Streams of the open sessions, by session id. */
export type Streams = {readonly open: ReadonlyMap<string, Stream>};
export type StreamStore = StoreApi<Streams>;

export function createStreamStore(): StreamStore {
	return createStore<Streams>(() => ({open: new Map()}));
}
