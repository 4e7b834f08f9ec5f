import type {KeyChoices} from '../domain/accounts/key-choices.ts';
import type {EnvironmentAddress, KeyFrom} from '../domain/accounts/profile.ts';
import type {DisplayPreferences} from '../domain/display.ts';
import type {CreditPrice} from '../domain/numbers.ts';
import type {QuietHours} from '../domain/sessions/attention.ts';
import type {Secret} from './secret.ts';

/** The service's addresses and key. Addresses have no trailing slash. */
export type ServiceAddress = {
	readonly baseUrl: string;
	readonly appUrl: string;
	readonly key: Secret;
	/** The local socket to connect to instead of the addresses' hosts. */
	readonly socket?: ServiceSocket;
	readonly keyFrom?: KeyFrom;
	/** The file with the key, unless Quarterdeck wrote it for a typed key. */
	readonly keyFile?: string;
	/** Set if the address comes from the environment. */
	readonly environmentAddress?: EnvironmentAddress;
	/** What to do when the service rejects the key, as a sentence. */
	readonly keyAdvice?: string;
};

export type ServiceSocket = {
	/** The path of the Unix socket to connect to. */
	readonly path: string;
	/** Throws unless the socket is private to the user; called on each connection before anything is sent. */
	readonly check: () => void;
};

/** The effective configuration: flags override the environment, which overrides the configuration file. */
export type Config = {
	readonly profile: string;
	/** `local`: the embedded service. `remote`: the hosted one. `none`: nothing is set up yet. */
	readonly mode: 'local' | 'remote' | 'none';
	/** Set in `remote` mode. */
	readonly service?: ServiceAddress;
	/** `$XDG_STATE_HOME/quarterdeck`, absolute. */
	readonly stateFolder: string;
	/** Saved prompts of the user: `prompts` beside the configuration file. */
	readonly promptFolder: string;
	/** Size limit of an account's database file, bytes; beyond it cached messages are deleted. */
	readonly storageLimit: number;
	/** Agent command of the embedded service; `shell` when nothing is set. */
	readonly agent: string;
	/** Whether new sessions of the embedded service get a git work tree of their own, where possible. */
	readonly worktree: boolean;
	readonly statusProbe: 'off' | 'manual' | 'auto';
	readonly display: DisplayPreferences;
	readonly keys: KeyChoices;
	/** Whether the program captures clicks, wheel and drags; otherwise the terminal uses them to select text. */
	readonly mouse: boolean;
	readonly quietHours?: QuietHours;
	/** Whether to notify the user also when an agent has finished. */
	readonly callWhenDone: boolean;
	/** Program and arguments to run for each notification. */
	readonly notifyCommand?: readonly string[];
	/** What is sent to an agent that failed so that it goes on. */
	readonly continueWords: string;
	/** Whether a session whose agent is done needs the user until they have read its answer. */
	readonly unreadNeedsYou: boolean;
	readonly creditPrice?: CreditPrice;
	/** Minutes without a key press after which "While you were away" opens; 0: never. */
	readonly awaySummary: number;
	/** Seconds without a client and without work after which the embedded service ends; 0: never. */
	readonly serviceIdle: number;
	/** Requests a second in all; reading sessions in the background stays within it. */
	readonly pollBudget: number;
	/** Settings of the file that are unknown, or left out because their value is wrong, one sentence each. */
	readonly mistakes: readonly string[];
};

/** A setting is invalid or missing; nothing was sent. The message names it and says what to do. */
export class ConfigError extends Error {
	override readonly name = 'ConfigError';
}

export class UnknownProfileError extends ConfigError {}

/** A file or command that provides settings can't be used. The message names it and never contains a secret. */
export class ConfigSourceError extends Error {
	override readonly name = 'ConfigSourceError';
}
