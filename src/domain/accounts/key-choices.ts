/** The user's key bindings by action, as read from the configuration file. */
export type KeyChoices = {
	/** Key names as written, in file order; an empty list unbinds the action. */
	readonly byAction: ReadonlyMap<string, readonly string[]>;
	/** Parse errors, one sentence each. */
	readonly problems: readonly string[];
};

export const noKeyChoices: KeyChoices = {byAction: new Map(), problems: []};
