import type {Service} from '../api/service.ts';
import type {Database} from '../db/database.ts';
import type {Clock} from '../domain/clock.ts';
import type {DraftImage} from '../domain/messages/attachment.ts';
import type {FileAttachment} from '../domain/messages/message.ts';
import type {CollapsedRange} from '../domain/messages/timeline.ts';
import type {Stores} from '../state/stores.ts';
import type {Engine} from '../sync/engine.ts';
import type {OrganizationReader} from '../sync/organization/organization-reader.ts';
import type {Searcher} from '../sync/search/searcher.ts';
import {notify} from './notify.ts';

export type Draft = {
	readonly text: string;
	readonly images: readonly DraftImage[];
	readonly files: readonly FileAttachment[];
	/** Ranges of the text that are shown collapsed. */
	readonly folds?: readonly CollapsedRange[];
};

/** Dependencies of actions: each action is a function of this context and its arguments. */
export type ActionContext = {
	readonly service: Service;
	readonly engine: Engine;
	readonly stores: Stores;
	readonly clock: Clock;
	/** Unsent drafts on disk, by session id. Calls are synchronous. */
	readonly drafts: Database['drafts'];
	readonly history: Database['history'];
	/** Copies text to the clipboard. Resolves to the method used; undefined if there is none, or the text is too long. */
	readonly copy: (text: string) => Promise<string | undefined>;
	readonly search: Searcher;
	readonly organization: OrganizationReader;
	/** Gives the terminal to another program until `run` resolves, then draws the screen again. */
	readonly handOver: (run: () => Promise<void>) => Promise<void>;
	/** The key bound to an action, as shown to the user. */
	readonly keyName: (
		action: 'undo' | 'refresh' | 'pin' | 'archive' | 'new-computer' | 'go-to-terminal',
	) => string;
};

/** How long the notice stays, ms: most answers have arrived by then. */
const refreshNoticeTime = 1500;

/** Refreshes computers or sessions, or everything on screen if none is given, immediately. */
export function refresh(context: ActionContext, ...ids: readonly string[]): void {
	if (context.stores.connection.getState().state === 'unauthorized') context.engine.resume();
	if (ids.length === 0) context.engine.refresh();
	for (const id of ids) context.engine.refresh(id);
	notify(context, 'info', 'Refreshing…', {until: context.clock.now() + refreshNoticeTime});
}
