import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import type {DraftImage} from '../domain/messages/attachment.ts';
import type {FileAttachment} from '../domain/messages/message.ts';
import type {CollapsedRange} from '../domain/messages/timeline.ts';
import type {Stores} from '../state/stores.ts';
import type {Clock} from '../sync/core/clock.ts';
import type {Engine} from '../sync/engine.ts';
import type {OrganizationReader} from '../sync/organization/organization-reader.ts';
import type {Searcher} from '../sync/search/searcher.ts';
import {notify} from './notify.ts';
import {strings} from './strings.ts';

/** Unsent text with its attachments. */
export type Draft = {
	readonly text: string;
	readonly images: readonly DraftImage[];
	readonly files: readonly FileAttachment[];
	/** Ranges of the text shown folded. */
	readonly folds?: readonly CollapsedRange[];
};

/** Messages sent from the composers, on disk, oldest first and without duplicates. */
type History = {
	ofSession(sessionId: string): string[];
	ofOthers(sessionId: string): string[];
	add(sessionId: string, text: string): void;
};

/**
 * Dependencies of actions. Each action implements one user intent as a function of this context and its
 * arguments.
 */
export type ActionContext = {
	readonly service: Service;
	/** The engine's public part, so that tests can record the calls. */
	readonly engine: Pick<Engine, keyof Engine>;
	readonly stores: Stores;
	readonly clock: Clock;
	/** Unsent drafts on disk, by session id. Calls are synchronous. */
	readonly drafts: Database['drafts'];
	readonly history: History;
	/**
	 * Copies text to the clipboard. Resolves to the method used; undefined when none is available or the text
	 * is too long.
	 */
	readonly copy: (text: string) => Promise<string | undefined>;
	/** Searches the cached messages. */
	readonly search: Searcher;
	/** Loads the data of the organization views. */
	readonly organization: OrganizationReader;
	/** Gives the terminal to another program until `run` resolves, then draws the screen again. */
	readonly handOver: (run: () => Promise<void>) => Promise<void>;
	/** The key bound to an action, as shown to the user. */
	readonly keyName: (action: 'undo' | 'refresh' | 'other-draft') => string;
};

/** Most answers are here by then, ms. */
const refreshingFor = 1500;

/** Refreshes one computer or session, or everything on screen, immediately. */
export function refresh(context: ActionContext, id?: string): void {
	if (context.stores.connection.getState().state === 'unauthorized') context.engine.resume();
	context.engine.refresh(id);
	notify(context, 'info', strings.refreshing, {until: context.clock.now() + refreshingFor});
}
