import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import type {DraftImage} from '../domain/attachment.ts';
import type {CollapsedRange} from '../domain/collapsed-range.ts';
import type {FileAttachment} from '../domain/message.ts';
import type {Stores} from '../state/stores.ts';
import type {Clock} from '../sync/clock.ts';
import type {Engine} from '../sync/engine.ts';
import type {OrganizationReader} from '../sync/organization-reader.ts';
import type {Searcher} from '../sync/searcher.ts';

/** An unsent text with what is attached to it. */
export type Draft = {
	readonly text: string;
	readonly images: readonly DraftImage[];
	readonly files: readonly FileAttachment[];
	/** Parts of the text that are shown folded. */
	readonly folds?: readonly CollapsedRange[];
};

/** What was sent from the composers, on disk. Oldest first, each text once. */
type History = {
	ofSession(sessionId: string): string[];
	ofOthers(sessionId: string): string[];
	add(sessionId: string, text: string): void;
};

/** What an action works with. Each action is one intent of the user: a function of this and its arguments. */
export type ActionContext = {
	readonly service: Service;
	readonly engine: Engine;
	readonly stores: Stores;
	readonly clock: Clock;
	/** Unsent drafts on disk, by session id. Calls are synchronous. */
	readonly drafts: Database['drafts'];
	readonly history: History;
	/** Puts text on the user's clipboard; answers by what, or nothing when nothing there takes it, or not so much. */
	readonly copy: (text: string) => Promise<string | undefined>;
	/** Looks for words in the kept messages. */
	readonly search: Searcher;
	/** Reads what the organization's views show. */
	readonly organization: OrganizationReader;
	/** Gives the terminal to another program until `run` resolves, then draws the screen again. */
	readonly handOver: (run: () => Promise<void>) => Promise<void>;
	/** The key that does it, to name in a sentence. */
	readonly keyName: (action: 'undo' | 'refresh' | 'other-draft') => string;
};
