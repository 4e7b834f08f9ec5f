import type {ThemeName} from '../domain/display.ts';
import type {ExportPage} from '../domain/export-tables/export-table.ts';
import type {ProfileEntry} from '../domain/profile.ts';
import type {DayRange} from '../domain/usage/range.ts';
import type {SearchHit} from './find.ts';

/** Form of one intent, and what it starts with. */
export type FormRequest =
	/** `isForSession`: a session is to be opened on it then. */
	| {readonly name: 'new-computer'; readonly isForSession?: true}
	| {readonly name: 'edit-computer'; readonly computerId: string}
	| {readonly name: 'new-session'; readonly computerId?: string}
	| {readonly name: 'edit-session' | 'rename-session'; readonly sessionId: string}
	| {readonly name: 'add'; readonly what: 'computer' | 'session'}
	/** Something of the organization as a file: what a page shows. `folder` is where names start from. */
	| {readonly name: 'export'; readonly data: ExportPage; readonly folder: string}
	/** Two days of usage; `lastDay` is the last there is. */
	| {readonly name: 'days'; readonly range: DayRange; readonly lastDay: string}
	/** To another service, as a profile. */
	| {readonly name: 'connect'};

/** A form for the service that is open. */
export type ServiceRequest = Exclude<FormRequest, {readonly name: 'connect'}>;

/** What lies over the panes; the last one has the keys. */
export type Dialog =
	| {readonly kind: 'form'; readonly form: FormRequest}
	| {
			/** What was sent before, searched; `texts` newest first. */
			readonly kind: 'history';
			readonly sessionId: string;
			readonly texts: readonly SentText[];
			readonly query: string;
			readonly selected: number;
	  }
	| {readonly kind: 'attachments'; readonly sessionId: string; readonly selected: number}
	| {readonly kind: 'help'; readonly query: string; readonly top: number}
	| {
			/** All sessions, searched; `hits` newest first, as far as they were read: those of the words before, until there are others. */
			readonly kind: 'search';
			readonly query: string;
			readonly hits: readonly SearchHit[];
			/** How many messages hold the words, and how many of the newest can be listed. */
			readonly count: number;
			readonly listed: number;
			readonly isLooking: boolean;
			/** How many were counted, while that takes its time. */
			readonly soFar?: number;
			/** What is kept could not be read to its end. */
			readonly isUnread?: boolean;
			readonly index: number;
	  }
	/** Parts of a message, one of which is to be copied. */
	| {
			readonly kind: 'blocks';
			readonly blocks: readonly {readonly label: string; readonly text: string}[];
			readonly index: number;
	  }
	/** Everything that needs the user; `id` is the session the cursor is on. */
	| {readonly kind: 'inbox'; readonly id?: string}
	/** For how long one time of asking is put off. */
	| {
			readonly kind: 'snooze';
			readonly sessionId: string;
			readonly episode: string;
			readonly index: number;
	  }
	| {readonly kind: 'details'; readonly sessionId: string; readonly top: number}
	/** Everything that can be done or gone to, by its name. */
	| {readonly kind: 'palette'; readonly query: string; readonly index: number}
	/** Services to switch to. */
	| {readonly kind: 'profiles'; readonly entries: readonly ProfileEntry[]; readonly index: number}
	/** Themes, the chosen one on trial; Esc brings back `before`. */
	| {readonly kind: 'themes'; readonly index: number; readonly before: ThemeName}
	| {
			readonly kind: 'confirm';
			readonly title: string;
			/** What will happen, in full sentences. */
			readonly text: string;
			readonly intent: Intent;
	  };

/** A message that was sent before: to this session, or to another. */
export type SentText = {readonly text: string; readonly isHere: boolean};

/** What a confirmed question does. */
export type Intent =
	| {readonly name: 'forget-session' | 'forget-computer' | 'archive-session'; readonly id: string}
	| {readonly name: 'quit'}
	| {readonly name: 'open-profile'; readonly profile: string}
	| {readonly name: 'join-accounts'; readonly into: string; readonly from: string}
	| {readonly name: 'replace-file'};

/** Dialogs over each other, the last one on top. */
type Stack = {readonly dialogs: readonly Dialog[]};

export function pushDialog<View extends Stack>(view: View, dialog: Dialog): View {
	return {...view, dialogs: [...view.dialogs, dialog]};
}

export function popDialog<View extends Stack>(view: View): View {
	return {...view, dialogs: view.dialogs.slice(0, -1)};
}

/** The same with the dialog that has the keys changed. */
export function withTop<View extends Stack>(view: View, dialog: Dialog): View {
	return {...view, dialogs: [...view.dialogs.slice(0, -1), dialog]};
}
