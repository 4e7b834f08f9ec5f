import type {Service} from '../api/service.ts';
import type {FileAttachment, ImageAttachment} from '../domain/message.ts';
import type {Stores} from '../state/stores.ts';
import type {Clock} from '../sync/clock.ts';
import type {Engine} from '../sync/engine.ts';

/** An unsent text with what is attached to it. */
export type Draft = {
	readonly text: string;
	readonly images: readonly ImageAttachment[];
	readonly files: readonly FileAttachment[];
};

/** Unsent drafts on disk, by session id. Calls are synchronous. */
type Drafts = {
	get(sessionId: string): Draft | undefined;
	put(sessionId: string, draft: Draft & {readonly updatedAt: number}): void;
	remove(sessionId: string): void;
};

/** What an action works with. Each action is one intent of the user: a function of this and its arguments. */
export type ActionContext = {
	readonly service: Service;
	readonly engine: Engine;
	readonly stores: Stores;
	readonly clock: Clock;
	readonly drafts: Drafts;
	/** Puts text on the user's clipboard through the terminal; false when the terminal takes none, or not so much. */
	readonly copy: (text: string) => boolean;
};
