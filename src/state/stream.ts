import type {StoreApi} from 'zustand/vanilla';
import type {Message, MessageRole} from '../domain/messages/message.ts';
import type {Problem} from './fleet.ts';

/** One entry of a session's stream, in display order. `version` increases whenever the rendering may have changed. */
export type StreamEntry =
	| {
			readonly kind: 'message';
			readonly id: string;
			readonly version: number;
			readonly message: Message;
			/** Absent until the author's role is determined. */
			readonly role?: MessageRole;
			/** Shown before its role was known; its layout stays so that nothing moves. */
			readonly isRoleLate?: boolean;
	  }
	/** Messages that exist but have not been read; loaded when the gap becomes visible. */
	| {readonly kind: 'gap'; readonly id: string; readonly version: number};

/** Progress of following the open session. `walking`: the first read of a service that lists oldest first. */
export type StreamPhase =
	| {readonly name: 'loading'}
	| {readonly name: 'walking'; readonly read: number; readonly total?: number}
	| {readonly name: 'ready'}
	| {readonly name: 'failed'; readonly problem: Problem};

export type Stream = {
	readonly sessionId: string;
	readonly entries: readonly StreamEntry[];
	/** Messages older than the first entry exist, in the cache or at the service. */
	readonly hasOlder: boolean;
	/** Messages newer than the last entry exist: a section of the history is shown. */
	readonly hasNewer?: boolean;
	/** The service has messages that were never read. */
	readonly hasUnread?: boolean;
	/** Older messages are being requested from the service. */
	readonly isLoadingOlder?: boolean;
	readonly phase: StreamPhase;
	/** When the newest response was applied (Unix ms); absent if only cached data is shown. */
	readonly readAt?: number;
	/** The service sent messages that can't be read. */
	readonly hasUnreadable?: boolean;
	/** The service can't list messages by role, so that it is unknown who wrote some. */
	readonly hasUnknownRoles?: boolean;
	/** The file that the messages are read from instead of a service, and how many of its lines can't be. */
	readonly transcript?: {readonly path: string; readonly unreadable: number};
};

export type Streams = {
	/** Streams of the open sessions, by session id. */
	readonly open: ReadonlyMap<string, Stream>;
	/** The newest cached messages of the session at the cursor of the lists, which isn't open. */
	readonly preview?: Stream;
};
export type StreamStore = StoreApi<Streams>;

/** Removes a stream, unless a later follower of its session has replaced it. */
export function removeStream(streams: StreamStore, stream: Stream | undefined): void {
	const open = new Map(streams.getState().open);
	if (stream === undefined || open.get(stream.sessionId) !== stream) return;
	open.delete(stream.sessionId);
	streams.setState({open});
}

/** The line above the first of a session's unread messages. */
export type NewLine = {
	/** Id of that message. */
	readonly id: string;
	/** Number of the agent's messages from there on. */
	readonly count: number;
	/** Whether there may be more unread messages before it. */
	readonly isPartial: boolean;
};
