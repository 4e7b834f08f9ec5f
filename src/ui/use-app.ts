import {createContext, use} from 'react';
import type {ActionContext} from '../actions/context.ts';
import type {FileFinder, FolderFinder} from '../actions/find-files.ts';
import type {Result} from '../actions/notify.ts';
import type {SavedPrompt} from '../actions/saved-prompts.ts';
import type {Account} from '../domain/accounts/account.ts';
import type {EnvironmentAddress, KeyFrom} from '../domain/accounts/profile.ts';
import type {ExportPage} from '../domain/export-table.ts';
import type {CreditPrice} from '../domain/numbers.ts';
import type {HookSetup} from '../state/hook-setup.ts';
import type {ListBuilder} from '../state/lists/lists.ts';
import type {Stores} from '../state/stores.ts';
import type {DisplayStore} from '../state/view/display.ts';
import type {ViewStore} from '../state/view/view.ts';
import type {Away} from './away.ts';
import type {Caches} from './caches.ts';
import type {ComposerStore} from './composer/composers.ts';
import type {DraftSaver} from './composer/draft-saver.ts';
import type {FormStore} from './dialogs/form/form-state.ts';
import type {Input} from './input.ts';
import type {KeyMap} from './keys/key-map.ts';
import type {Ticker} from './kit/ticker.ts';
import type {ScreenSize} from './layout-now.ts';
import type {MouseInput} from './mouse/gesture.ts';
import type {Zones} from './mouse/zones.ts';
import type {Profiles} from './profiles.ts';

/** The open profile, and what is known of its service. */
export type OpenProfile = {
	/** Raw, as are host and organization. */
	readonly name: string;
	/** Host of the service; absent for the embedded one. */
	readonly host?: string;
	/** The organization's name, once known. */
	readonly organizationName: () => string | undefined;
	/**
	 * The account that the key in the environment, which is new, may open: nothing is shown until the user has said which
	 * one it opens.
	 */
	readonly newKey?: Account;
	/** The agent of new sessions, if the service is the embedded one. */
	readonly agent?: string;
	/** Where the key comes from; absent if the service takes none. */
	readonly keyFrom?: KeyFrom;
	/** The file that the user keeps the key in. */
	readonly keyFile?: string;
	/** Set if the address comes from the environment. */
	readonly environmentAddress?: EnvironmentAddress;
	readonly creditPrice?: CreditPrice;
	/** Whether new sessions get a git work tree of their own by default. */
	readonly worktree: boolean;
	/** What is sent to an agent that failed so that it goes on. */
	readonly continueWords: string;
	/** What is wrong in the configuration file. */
	readonly mistakes: readonly string[];
	/** False while no service is set up: the first screen offers to connect or to work locally. */
	readonly isConnected: boolean;
};

/** The folder that the user started the program in, and what `~` is to them. */
export type UserFolders = {readonly started: string; readonly home: string};

/** The program around the open profile. */
export type Program = {
	readonly profiles: Profiles;
	/** Login name on this machine, offered as the remote user of a new computer. */
	readonly userName: string;
	/** The folder that the user started it in; absent if that is home or the root, where no work is done. */
	readonly folder?: string;
	/** For exports; also in the demo, whose own home goes with it. */
	readonly userFolders: UserFolders;
	/** Number of agents at work in the embedded service, if that is the open one; they go on after `quit`. */
	readonly agentsAtWork: () => Promise<number>;
	/** Stops the embedded service. */
	readonly endAgents: () => Promise<Result<undefined>>;
	readonly quit: () => void;
};

/** Where the composer's completions come from. */
type CompletionSources = {
	readonly files: FileFinder;
	/** The base folder of file names in a message to a session. */
	readonly folderOf: (sessionId: string) => string;
	readonly foldersOn: FolderFinder;
	/** Saved prompts for messages to a session; calls `arrived` when newer ones are loaded. */
	readonly promptsOf: (sessionId: string, arrived: () => void) => readonly SavedPrompt[] | undefined;
};

/** What keys need to know of the last frame. */
type ScreenState = {
	/** The terminal's size, from which the layout follows. */
	size: ScreenSize;
	/** The columns of the table, as far as there was room. */
	columns?: readonly {readonly name?: string}[] | undefined;
	/** The organization page that was last drawn: number of rows that the cursor can be on, and how many are visible. */
	page?: {
		count: number;
		height: number;
		index: number;
		idOf: ((index: number) => string | undefined) | undefined;
		data: (() => ExportPage) | undefined;
	};
};

/** The screen's dependencies, created once at startup and provided to every component by context. */
export type AppParts = {
	readonly display: DisplayStore;
	readonly ticker: Ticker;
	/** Pointer zones as last drawn; the panes write them. */
	readonly zones: Zones;
	readonly stores: Stores;
	readonly view: ViewStore;
	readonly listBuilder: ListBuilder;
	readonly composers: ComposerStore;
	readonly drafts: DraftSaver;
	readonly completion: CompletionSources;
	readonly forms: FormStore;
	readonly keys: KeyMap;
	readonly mouse: MouseInput;
	readonly input: Input;
	readonly actions: ActionContext;
	readonly away: Away;
	readonly profile: OpenProfile;
	readonly program: Program;
	readonly hooks: HookSetup;
	readonly screen: ScreenState;
	readonly caches: Caches;
	/** Median duration of past runs of a provisioning step, ms. */
	readonly median: (stepName: string) => number | undefined;
	/** Ids of computers on which a session is being created, and of sessions being continued or typed to. */
	readonly creating: Set<string>;
	/** Undo steps, newest last; each says what it did. */
	readonly undos: (() => void)[];
	/** When Ctrl+C was last pressed (Unix ms). */
	interruptedAt: number;
};

/** Only these parts, for a function that uses no others. */
export type Parts<Name extends keyof AppParts> = Pick<AppParts, Name>;

const Context = createContext<AppParts | undefined>(undefined);
export const AppProvider = Context;

export function useApp(): AppParts {
	const parts = use(Context);
	if (!parts) throw new Error('A component of the screen is drawn outside of it.');
	return parts;
}
