import type {ProfileEntry} from '../../domain/accounts/profile.ts';
import type {ThemeName} from '../../domain/display.ts';
import type {AgentRequest} from '../../domain/sessions/agent-request.ts';
import type {Subject} from '../../domain/sessions/attention.ts';
import type {WorkingDiff} from '../../domain/sessions/work-folder.ts';
import type {EditorState} from '../../text/editor/editor-state.ts';
import type {HookChange, HookPlan} from '../hook-setup.ts';
import type {SearchHit} from './find.ts';
import type {TableName} from './view-states.ts';

/** A dialog over the panes; the topmost has the focus. */
export type Dialog =
	/** The open form, whose state is the screen's own. */
	| {readonly kind: 'form'}
	| {
			/** Asks what a new session should do; its text is the draft `newSessionDraft`. */
			readonly kind: 'new-session';
			/** Differs each time the dialog opens, so that late results for an earlier one don't change it. */
			readonly opening: symbol;
			/** Absent for the first one, which the embedded service may still be setting up. */
			readonly computerId?: string;
			/** Empty for the configured one. */
			readonly agent: string;
			/** Empty for the computer's usual folder. */
			readonly folder: EditorState;
			/** The user has edited the folder: until then, typing replaces it. */
			readonly isFolderEdited?: boolean;
			/** Mode, worktree, models, tags and tools, by the name of their field; absent while none was chosen. */
			readonly settings?: DraftPlace['settings'];
			/** Where keys go. */
			readonly part: 'words' | 'computer' | 'agent' | 'folder' | 'settings';
			readonly isBusy?: boolean;
			/** The words that are being sent, while it is busy. */
			readonly sent?: string;
			/** Why no session was created, raw. */
			readonly problem?: string;
	  }
	| {
			/** Searchable history of sent messages; `texts` newest first. */
			readonly kind: 'history';
			readonly sessionId: string;
			readonly texts: readonly SentText[];
			readonly query: string;
			readonly index: number;
	  }
	| {
			readonly kind: 'answer';
			/** Absent for the oldest request of any session. */
			readonly sessionId?: string;
			/** Read once: it never changes while the dialog is open. */
			readonly request?: AgentRequest;
			/** Whether keys answer now: the request has been on the screen for long enough. */
			readonly isReady?: boolean;
			/** The answer whose key was pressed last. It counts unless the key turns out to be held. */
			readonly pressed?: {readonly word: string};
			/** Of a request with several questions, the answers so far. */
			readonly given?: readonly string[];
			/** The row of the list of answers, and the rows that are marked if several may be chosen. */
			readonly cursor?: number;
			readonly marked?: readonly number[];
			/** Counts what made keys wait again. */
			readonly waits: number;
			readonly top: number;
			/** Its last line has been on the screen: until then, it can't be allowed. */
			readonly isRead?: boolean;
			/** Which of the session's open requests it is, from 1 on, oldest first; 0: it is over. */
			readonly position?: {readonly number: number; readonly count: number};
			/** Words to the agent. */
			readonly editor: EditorState;
			readonly isWriting: boolean;
			readonly isBusy?: boolean;
			/** Nobody waits for the answer any more. */
			readonly isGone?: boolean;
			/** Why the last key didn't answer, raw. */
			readonly problem?: string;
	  }
	| {readonly kind: 'attachments'; readonly sessionId: string; readonly index: number}
	| {readonly kind: 'help'; readonly query: string; readonly top: number}
	| {
			/**
			 * Search across all sessions; `hits` are the results loaded so far, newest first. Results of the
			 * previous query stay until new ones arrive.
			 */
			readonly kind: 'search';
			readonly query: string;
			readonly hits: readonly SearchHit[];
			/** Number of matching messages, and how many of the newest can be listed. */
			readonly count: number;
			readonly listed: number;
			readonly isSearching: boolean;
			/** Matches counted so far, while the search is running. */
			readonly soFar?: number;
			/** The saved messages could not be read completely. */
			readonly isIncomplete?: boolean;
			/** Bytes of transcripts searched, if that weren't all. */
			readonly searchedBytes?: number;
			readonly index: number;
	  }
	/** What happened since `since` (Unix ms), while the user was away; `id` is the entry at the cursor. */
	| {readonly kind: 'away'; readonly since: number; readonly id?: string}
	/** Asks before quitting: so many agents are at work. */
	| {readonly kind: 'quit'; readonly agents: number}
	/** Parts of a message to choose from for copying. */
	| {
			readonly kind: 'blocks';
			readonly blocks: readonly {readonly label: string; readonly text: string}[];
			readonly index: number;
	  }
	/** Columns of a table: which one orders it, and which are hidden. */
	| {readonly kind: 'columns'; readonly table: TableName; readonly column: string}
	/** Addresses in a message, to open or copy one. */
	| {readonly kind: 'links'; readonly links: readonly string[]; readonly index: number}
	/** All that needs the user; `id` is the session or computer at the cursor. */
	| {readonly kind: 'inbox'; readonly id?: string; readonly isComputer?: boolean}
	/** What installing or uninstalling the hooks changes. */
	| {
			readonly kind: 'hooks';
			readonly what: HookChange;
			/** Absent until the settings are read. */
			readonly plan?: HookPlan;
			/** What was done. */
			readonly result?: HookPlan['lines'];
			readonly problem?: string;
			readonly top: number;
	  }
	/** Snooze duration for one episode. */
	| {
			readonly kind: 'snooze';
			readonly subject: Subject;
			readonly episode: string;
			readonly index: number;
	  }
	/** What changed in a session's folder. */
	| {
			readonly kind: 'diff';
			readonly sessionId: string;
			/** Compared with the base branch instead of the last commit. */
			readonly isSinceBase: boolean;
			/** As read last; absent until it has been read. */
			readonly diff?: WorkingDiff;
			readonly isReading: boolean;
			/** Why it couldn't be read, raw. */
			readonly problem?: string;
			/** The cursor's row, the first visible row, and the first visible column of its lines. */
			readonly row: number;
			readonly top: number;
			readonly left: number;
			/** Paths of the files to be left out of a commit. */
			readonly except: readonly string[];
			/** The draft of the comment that is being written. */
			readonly writing?: string;
			/** Words to find, and the row of the current match. */
			readonly find?: {readonly words: string; readonly isTyping: boolean; readonly row?: number};
	  }
	| {readonly kind: 'details'; readonly sessionId: string; readonly top: number}
	/** The command palette: all actions and destinations, by name. */
	| {readonly kind: 'palette'; readonly query: string; readonly index: number}
	/** Services to switch to. */
	| {readonly kind: 'profiles'; readonly entries: readonly ProfileEntry[]; readonly index: number}
	/** Theme picker with live preview; Esc restores `before`. */
	| {readonly kind: 'themes'; readonly index: number; readonly before: ThemeName}
	| {
			readonly kind: 'confirm';
			readonly title: string;
			/** What will happen, in complete sentences. */
			readonly text: string;
			readonly yes: () => void;
			readonly no?: () => void;
			/** What Escape does besides closing it. */
			readonly cancel?: () => void;
			/** Opened by a response, not by a key: keys wait, and only the first one for yes means it. */
			readonly isUnexpected?: true;
			/** Enter means yes nevertheless: nobody is writing then. */
			readonly takesEnter?: true;
			/** Its keys wait no longer. */
			readonly isReady?: true;
	  };

/** Where the words for a new session are to run; agent and folder are empty for the usual ones. */
export type DraftPlace = {
	readonly computerId?: string;
	readonly agent: string;
	readonly folder: string;
	readonly settings?: Readonly<Record<string, string>>;
};

/** Under this id, which no session has, the words for a new session are written and their draft stored. */
export const newSessionDraft = 'new session';

/** A previously sent message. `isHere`: it was sent to this session. */
export type SentText = {readonly text: string; readonly isHere: boolean};

/** A stack of dialogs, the topmost last. */
type Stack = {readonly dialogs: readonly Dialog[]};

export function pushDialog<View extends Stack>(view: View, dialog: Dialog): View {
	return {...view, dialogs: [...view.dialogs, dialog]};
}

export function popDialog<View extends Stack>(view: View): View {
	return {...view, dialogs: view.dialogs.slice(0, -1)};
}

/** The inbox with the cursor on a session or computer, if on any. */
export function inboxOn(subject: Subject | undefined): Extract<Dialog, {readonly kind: 'inbox'}> {
	if (!subject) return {kind: 'inbox'};
	return {kind: 'inbox', id: subject.id, isComputer: subject.kind === 'computer'};
}

export function withTop<View extends Stack>(view: View, dialog: Dialog): View {
	return {...view, dialogs: [...view.dialogs.slice(0, -1), dialog]};
}
