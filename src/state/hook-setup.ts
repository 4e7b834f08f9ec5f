import {createStore, type StoreApi} from 'zustand/vanilla';

/** One line of a planned change of the clients' settings; those of a difference start as in a unified diff. */
export type HookLine = {readonly kind: 'file' | 'difference' | 'note'; readonly text: string};

export type HookPlan = {
	readonly lines: readonly HookLine[];
	/** Number of files that would change. */
	readonly changes: number;
	/** Changes the files, except those that changed since; returns what was done, in lines. */
	readonly apply: () => readonly HookLine[];
};

/**
 * What the screen says of the hooks: whether Needs you shows that they are missing (`isShown`), and why installed ones
 * report nothing (`problem`, raw), which installing them again mends unless `isInSettings`.
 */
export type HookHint = {
	readonly isShown: boolean;
	readonly problem?: {readonly what: string; readonly isInSettings: boolean};
};

/** `answer`: installs them so that permission prompts can be answered here, too. */
export type HookChange = 'install' | 'answer' | 'uninstall';

export function createHookHintStore(): StoreApi<HookHint> {
	return createStore<HookHint>(() => ({isShown: false}));
}

/** The hooks that report what agents on this machine do, in the settings of their clients. */
export type HookSetup = {
	readonly hint: StoreApi<HookHint>;
	/** Looks at the clients' settings, and sets the hint. Missing hooks are none if the user dismissed that. */
	look(): Promise<void>;
	/** Hides the hint that they are missing on this machine, or shows it again. */
	dismiss(isDismissed: boolean): Promise<void>;
	plan(what: HookChange): Promise<HookPlan>;
};
