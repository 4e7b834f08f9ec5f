import type {Result} from '../actions/notify.ts';
import type {ProfileDraft, ProfileEntry} from '../domain/accounts/profile.ts';
import type {ThemeName} from '../domain/display.ts';

/** The services that the program can show, one at a time. */
export type Profiles = {
	/** The available profiles, including the open one, or why the configuration can't be read. */
	list(): Promise<Result<readonly ProfileEntry[]>>;
	/**
	 * Closes the open profile cleanly and opens another in its place. If that one can't be opened, reports why
	 * and keeps the current one. The name of the open profile reopens it and reads its key again.
	 */
	switchTo(name: string): void;
	/** Reopens the open profile if its key file holds another key by now; problems with the file change nothing. */
	reopenWithNewKey(): void;
	/** Reopens the profile with this account, from now on that of its key; without an id, with a new one. */
	openAccount(id: string | undefined): void;
	/** Opens the embedded service; `note` is shown after opening. */
	workLocally(note: string): void;
	/**
	 * Contacts the service of a new or changed profile; if it responds, saves the profile and opens it. Never rejects.
	 */
	connect(draft: ProfileDraft, signal: AbortSignal): Promise<Result<undefined>>;
	/** The same, but opens the changed profile only if it is the open one. */
	change(draft: ProfileDraft, signal: AbortSignal): Promise<Result<undefined>>;
	/** A saved profile as a draft to change, or why it can't be changed. */
	draftOf(name: string): Promise<Result<ProfileDraft>>;
	/** Removes a saved profile, but not the data stored for its accounts, whose ids are the result. */
	remove(name: string): Promise<Result<readonly string[]>>;
	/** Has every start open a saved profile or, without a name, the one that was left. */
	makeDefault(name: string | undefined): Promise<Result<undefined>>;
	/** Like `connect`, with a new key of a saved profile, or the path of another key file. Writes no file of the user's. */
	replaceKey(name: string, key: string, signal: AbortSignal): Promise<Result<undefined>>;
	/** The profile that is being opened. */
	readonly opening: string | undefined;
	/** Whether the environment at startup contained a key. */
	readonly hasEnvironmentKey: boolean;
	/** The folder of the keys that were typed. */
	readonly keyFolder: string;
	/** Saves the theme in the configuration file: in the profile, if that sets one. */
	saveTheme(theme: ThemeName): Promise<Result<undefined>>;
};
