/** The keys that the user wants, by action, as the configuration file has them. */
export type KeyChoices = {
	/** Names of keys as they were written, in the order of the file; none: the action has no key. */
	readonly byAction: ReadonlyMap<string, readonly string[]>;
	/** What could not be understood, a sentence each. */
	readonly problems: readonly string[];
};

export const noKeyChoices: KeyChoices = {byAction: new Map(), problems: []};
