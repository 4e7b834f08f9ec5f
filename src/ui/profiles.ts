import type {Result} from '../actions/result.ts';
import type {ThemeName} from '../domain/display.ts';
import type {ProfileDraft, ProfileEntry} from '../domain/profile.ts';

/** The services that the program can show, one at a time. */
export type Profiles = {
	/** Those that can be switched to, the open one among them; or why the configuration can't be read. */
	list(): Promise<Result<readonly ProfileEntry[]>>;
	/**
	 * Leaves the open one in order, and opens another in its place. What can't be opened is told on the screen, and
	 * nothing is left. The name of the open one opens it anew, with its key brought again.
	 */
	switchTo(name: string): void;
	/** Joins one account to another and opens the profile anew, so that it shows both. */
	joinAccounts(into: string, from: string): void;
	/** Opens the embedded service, now and whenever nothing else is asked for; `note` is told there then. */
	workLocally(note: string): void;
	/** Asks the service of a new profile; when it answers, keeps the profile and opens it. Never rejects. */
	connect(draft: ProfileDraft, signal: AbortSignal): Promise<Result<undefined>>;
	/** Is there a key in the environment that the program was started in? */
	readonly hasEnvironmentKey: boolean;
	/** Names the theme in the configuration file: in the profile, where that names one. */
	saveTheme(theme: ThemeName): Promise<Result<undefined>>;
};
