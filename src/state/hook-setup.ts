import {createStore, type StoreApi} from 'zustand/vanilla';

/** One line of a planned change of the clients' settings; those of a difference start as in a unified diff. */
export type HookLine = {readonly kind: 'file' | 'difference' | 'note'; readonly text: string};

/** What installing or uninstalling the hooks would change now. */
export type HookPlan = {
	readonly lines: readonly HookLine[];
	/** Number of files that would change. */
	readonly changes: number;
	/** Changes the files, except those that changed since; returns what was done, in lines. */
	readonly apply: () => readonly HookLine[];
};

/** Whether Needs you shows that the hooks are missing. */
type HookHintStore = StoreApi<{readonly isShown: boolean}>;

export function createHookHintStore(): HookHintStore {
	return createStore<{readonly isShown: boolean}>(() => ({isShown: false}));
}

/** The hooks that report what agents on this machine do, in the settings of their clients. */
export type HookSetup = {
	readonly hint: HookHintStore;
	/** Whether a client is found here and none has our hooks, unless the user dismissed that. */
	isMissing(): Promise<boolean>;
	/** Hides the hint that they are missing on this machine, or shows it again. */
	dismiss(isDismissed: boolean): Promise<void>;
	plan(what: 'install' | 'uninstall'): Promise<HookPlan>;
};
