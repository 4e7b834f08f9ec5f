/** Where the keys go. Several hold at once: the cursor in Computers is in `computers` and in `lists`. */
export type KeyContext =
	| 'everywhere'
	| 'lists'
	| 'sessions'
	| 'computers'
	| 'stream'
	| 'find'
	| 'found'
	| 'marking'
	| 'search'
	| 'blocks'
	| 'computer'
	/** Either pane of the Computers view. */
	| 'computer-table'
	| 'events'
	| 'organization'
	/** Pages of it whose list is filtered, and those whose rows open. */
	| 'pages'
	| 'opening'
	| 'report'
	| 'controls'
	| 'usage'
	| 'people'
	| 'users'
	| 'composer'
	| 'suggestions'
	| 'history'
	| 'attachments'
	| 'welcome'
	| 'filter'
	| 'form'
	| 'confirm'
	| 'profiles'
	| 'themes'
	| 'help'
	| 'details'
	| 'inbox'
	| 'snooze'
	| 'palette';

/** What is on screen now, as far as it decides whether a key works. */
export type KeyState = {
	/** Ids at the cursor, or shown in the main area while that has the focus. */
	readonly sessionId?: string;
	readonly computerId?: string;
	readonly needsCount: number;
	/** May the dependency install run again? */
	readonly install: Enabled;
	readonly installSessionId?: string;
	/** Sessions known on the computer. */
	readonly sessionCount?: number;
	/** Does the session need the user, put aside or not? */
	readonly isAsking?: boolean;
	/** Streams side by side, and whether the session may be put beside them or taken from there. */
	readonly streamCount?: number;
	readonly split?: Enabled;
	readonly isMessageSelected: boolean;
	/** Messages that hold what is looked for; absent while nothing is. */
	readonly foundCount?: number;
	/** Is anything of it folded, or unfolded now? */
	readonly canCollapse: boolean;
	/** The selected message of ours waits for the user's choice. */
	readonly isUnsettled: boolean;
	/** The selected message of ours is not on its way, or may be called lost. */
	readonly canTakeBack: boolean;
	/** Messages of ours to the session that wait to be sent. */
	readonly queuedCount: number;
	/** Attached to what is being written. */
	readonly attachmentCount: number;
	/** Drafts of the session that are stored apart from what is being written. */
	readonly otherDraftCount: number;
	readonly canUndo: boolean;
	/** Something happened to the database file that the user has not acknowledged. */
	readonly hasIncidents: boolean;
	/** Does the session run outside of the service? Then it has no settings to change. */
	readonly isOutside: boolean;
	/** The cursor of the event log is on an event. */
	readonly isEventSelected: boolean;
	/** False while no service is set up. */
	readonly isConnected: boolean;
};

/** True, or why not, as a sentence that says what would help. */
export type Enabled = true | string;
