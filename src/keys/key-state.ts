/** The screen state that determines whether a key is enabled. */
export type KeyState = {
	/** Ids at the cursor, or of the item in the main area if it has the focus. */
	readonly sessionId?: string;
	readonly computerId?: string;
	readonly needsCount: number;
	/** Whether the view's list is empty, and no filter empties it. */
	readonly isListEmpty: boolean;
	/** Whether Escape clears the filter of the lists. */
	readonly clearsFilter?: boolean;
	/**
	 * In the Sessions view: number of sessions that an action is for, how many of them need the user (including
	 * acknowledged and snoozed ones), how many the service knows, and how many are marked, existing or not.
	 */
	readonly targets?: {
		readonly count: number;
		readonly asking: number;
		readonly atService: number;
		readonly marked: number;
		/** The session at the cursor. */
		readonly isMarked: boolean;
		readonly isLast: boolean;
	};
	/** Whether the service has no data for the days that an organization view shows. */
	readonly isWithoutDays?: boolean;
	/** What the key that compares readiness reports does next; absent if there is no older report. */
	readonly nextComparison?: 'start' | 'older' | 'end';
	/** Whether the dependency install can be retried. */
	readonly install: Enabled;
	readonly installSessionId?: string;
	/** Number of known sessions on the computer. */
	readonly sessionCount?: number;
	/** Whether the group of the cursor's row in the lists is collapsed; absent if there is no group. */
	readonly isGroupCollapsed?: boolean;
	/** Whether the session or computer needs the user, including acknowledged and snoozed ones. */
	readonly isAsking?: boolean;
	/** Whether the session's question or failure was read, and so no longer needs the user. */
	readonly isRead?: boolean;
	/** The user's mark on it, if still valid. */
	readonly mark?: 'acknowledged' | 'snoozed';
	/** Whether the lists are off the screen while a session or computer has it. */
	readonly isListHidden: boolean;
	/** Whether a view with two pages shows the second: the current settings, or the criteria. */
	readonly isSecondPage?: boolean;
	/** Title of the view that Escape leads back to, if the open item was opened there. */
	readonly viewBehind?: string;
	/** Whether an agent waits for an answer that can be given here. */
	readonly hasRequest: boolean;
	/** Number of streams side by side, and whether the session can be added to or removed from the split. */
	readonly streamCount?: number;
	readonly split?: Enabled;
	readonly isMessageSelected: boolean;
	/** Number of messages matching the search; absent if there is no search. */
	readonly foundCount?: number;
	/** Whether anything can be collapsed or expanded. */
	readonly canCollapse: boolean;
	readonly isMessageExpanded?: boolean;
	/** Whether the selected message has more rows than its pane. */
	readonly isMessageTall?: boolean;
	/** The selected outgoing message needs the user's decision, or waits here. */
	readonly canResend: boolean;
	/** The selected outgoing message is not in transit, or may be declared lost. */
	readonly canTakeBack: boolean;
	/** Number of outgoing messages queued for the session. */
	readonly queuedCount: number;
	/** Number of attachments to the message being composed. */
	readonly attachmentCount: number;
	/** Number of saved drafts of the session, besides the message being composed. */
	readonly otherDraftCount: number;
	/** Whether its agent is at work or waits for an answer. False in a reply over the lists: no key interrupts from there. */
	readonly isTurnRunning: boolean;
	readonly isComposerEmpty: boolean;
	readonly canUndo: boolean;
	/** There are unacknowledged incidents with the database file. */
	readonly hasIncidents: boolean;
	/** Whether the session runs outside the service, and so has no settings to change. */
	readonly isOutside: boolean;
	/** Whether the terminal of an outside session can be shown. */
	readonly terminal: Enabled;
	/** Whether an outside session may be continued in the embedded service. */
	readonly continuation: Enabled;
	/** Whether the service is the embedded one, which knows the folders of its sessions. */
	readonly isEmbedded: boolean;
	/** Whether the changes on the screen are those since the base branch. */
	readonly isSinceBase?: boolean;
	/** Whether a file has changed, and whether the folder is in a repository that can be read; absent until it was. */
	readonly hasChanges?: boolean;
	readonly hasRepository?: boolean;
	/** Whether the session works in a git worktree of its own. */
	readonly hasWorktree: boolean;
	/** Whether the event log's cursor is on an event. */
	readonly isEventSelected: boolean;
	/** The service can't be reached since the start, or refuses the key: `isBlocked` in `state/connection.ts`. */
	readonly isBlocked: boolean;
	/** It can't be used now, as the banner says: it is blocked or has been out for a while. */
	readonly isDown: boolean;
	readonly isKeyRefused: boolean;
	/** Whether the key of the service can be replaced here. */
	readonly canReplaceKey: Enabled;
	/** Whether this can be done with the profile at the cursor of the list of profiles. */
	readonly profile?: {
		readonly canOpen: Enabled;
		readonly canEdit: Enabled;
		readonly canRemove: Enabled;
		readonly canBeDefault: Enabled;
	};
	/** What submitting the open form does now, such as `create` or `go to Key`. */
	readonly submitWord?: string;
	/** Whether the dialog of the hooks shows a change that was not made yet. */
	readonly hasHookChange?: boolean;
	/** Whether the open form keeps its text when it is closed. */
	readonly keepsForm?: boolean;
	/** Whether the open form has more than one field. */
	readonly hasOtherFields?: boolean;
	/** Which part of a new session the keys change, while it is asked for. */
	readonly newSessionPart?: 'words' | 'computer' | 'agent' | 'folder';
	/** Whether the answers to the open question don't count yet: it opened by itself a moment ago. */
	readonly isQuestionEarly?: boolean;
	/** Whether the open agent request accepts no words: it isn't read yet, is being answered, or is over. */
	readonly isRequestClosed?: boolean;
	/** Whether typed letters are words for the open agent request. */
	readonly isAnswerWritten?: boolean;
	/** False if no service is configured. */
	readonly isConnected: boolean;
};

/** True, or a sentence with the reason why not and the remedy. */
export type Enabled = true | string;
