import {createContext, use} from 'react';
import type {ActionContext} from '../actions/context.ts';
import type {FileFinder} from '../actions/find-files.ts';
import type {ExportPage} from '../domain/export-tables/export-table.ts';
import type {KeyOrigin} from '../domain/profile.ts';
import type {KeyMap} from '../keys/key-map.ts';
import type {ComputerRow} from '../state/computer-rows.ts';
import type {DisplayStore} from '../state/display.ts';
import type {LogEntry} from '../state/event-log.ts';
import type {EventsSide} from '../state/events-reading.ts';
import type {ListBuilder} from '../state/lists.ts';
import type {Stores} from '../state/stores.ts';
import type {ViewStore} from '../state/view.ts';
import type {ViewName} from '../state/views.ts';
import type {RowCache} from '../text/row-cache.ts';
import type {ComposerStore} from './composer/composers.ts';
import type {DraftSaver} from './composer/draft-saver.ts';
import type {FormStore} from './dialogs/form-state.ts';
import type {Ticker} from './kit/ticker.ts';
import type {MouseInput} from './mouse/mouse-input.ts';
import type {Zones} from './mouse/zones.ts';
import type {Profiles} from './profiles.ts';
import type {StreamExtent} from './stream/stream-extent.ts';

/** What the screen works with: made once at the start, and told to every component by context. */
export type AppParts = {
	readonly stores: Stores;
	readonly view: ViewStore;
	readonly listBuilder: ListBuilder;
	readonly composers: ComposerStore;
	readonly drafts: DraftSaver;
	readonly forms: FormStore;
	readonly display: DisplayStore;
	/** The keys in force. */
	readonly keys: KeyMap;
	readonly mouse: MouseInput;
	/** What the pointer reaches, as it was drawn last; the panes write it. */
	readonly zones: Zones;
	readonly ticker: Ticker;
	readonly actions: ActionContext;
	/** Rows of stream entries that were laid out already. */
	readonly rows: RowCache;
	/** Median duration of past runs of a provisioning step, ms. */
	readonly median: (stepName: string) => number | undefined;
	/** Name of the profile, raw. */
	readonly profile: string;
	/** Host of the service, raw; absent for the embedded one. */
	readonly host?: string;
	/** The organization, once it is known, raw. */
	readonly organizationName: () => string | undefined;
	/** Host of the service that is asked, just now, which account the key belongs to. */
	readonly checking?: string;
	/** Where its key comes from; absent where it takes none. */
	readonly keyFrom?: KeyOrigin;
	readonly profiles: Profiles;
	/** Login name on this machine: offered as the remote user of a new computer. */
	readonly userName: string;
	/** False while no service is set up: the first screen offers to connect or to work locally. */
	readonly isConnected: boolean;
	/** Agents that end with this program: those at work in the embedded service that runs in it. */
	readonly agentsAtWork: () => number;
	readonly quit: () => void;
	/** Names of files, for completion. */
	readonly files: FileFinder;
	/** The folder that file names in a message to a session start from. */
	readonly folderOf: (sessionId: string) => string;
	/** What can be undone, newest last. */
	readonly undos: (() => void)[];
	/** What keys need to know of the last frame; the panes write it. */
	readonly sizes: {
		stream?: StreamExtent;
		/** Sessions whose streams are on screen. */
		streams: readonly string[];
		lists: number;
		/** Columns of the main area. */
		main: number;
		composer: number;
		detail: {rows: number; height: number};
		/** The computers that the filter lets through, the cursor's row among them, and how many are seen. */
		computers?: {rows: readonly ComputerRow[]; cursor: number; height: number};
		/** Where the panes of the left end, or those at the top where they are as wide as the screen. */
		divider?: {name: ViewName; isAcross: boolean; size: number; of: number} | undefined;
		/** Rows of the dialog that scrolls, and how many of them are seen. */
		dialog?: {rows: number; height: number};
		/** The events that the filter lets through, and how many rows show them. */
		events?: {entries: readonly LogEntry[]; height: number};
		/** Rows of the panes beside the log of events, and how many of them are seen. */
		eventSides?: Readonly<Partial<Record<EventsSide, {rows: number; height: number}>>>;
		/** Rows of the page of the organization that the cursor can be on, and how many are seen. */
		page?: {
			count: number;
			height: number;
			index: number;
			idOf: ((index: number) => string | undefined) | undefined;
			data: (() => ExportPage) | undefined;
		};
	};
	/** When Ctrl+C was last pressed (Unix ms). */
	interruptedAt: number;
};

const Context = createContext<AppParts | undefined>(undefined);
export const AppProvider = Context;

export function useApp(): AppParts {
	const parts = use(Context);
	if (!parts) throw new Error('A component of the screen is drawn outside of it.');
	return parts;
}
