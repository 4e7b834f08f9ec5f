import type {DisplayPreferences} from '../domain/display.ts';
import type {KeyChoices} from '../domain/key-choices.ts';
import type {KeyOrigin} from '../domain/profile.ts';
import type {QuietHours} from '../domain/quiet-hours.ts';
import type {Secret} from './secret.ts';

/** Where the service is and how it is spoken to. Addresses have no trailing slash. */
export type ServiceAddress = {
	readonly baseUrl: string;
	readonly appUrl: string;
	readonly key: Secret;
	/** The socket of this machine by which the addresses are reached, in place of their hosts. */
	readonly socket?: ServiceSocket;
	readonly keyFrom?: KeyOrigin;
	/** What to do when the service refuses the key, in a sentence. */
	readonly keyAdvice?: string;
};

export type ServiceSocket = {
	/** What to connect to: the path of a unix socket, or the name of a pipe. */
	readonly path: string;
	/** Throws unless the socket is still the user's alone; called at each connection, before anything is sent. */
	readonly check: () => void;
};

/** The configuration in force: flags override the environment, which overrides the configuration file. */
export type Config = {
	readonly profile: string;
	/** `local`: the embedded service. `remote`: the hosted one. `none`: nothing was set up yet. */
	readonly mode: 'local' | 'remote' | 'none';
	/** Set in `remote` mode. */
	readonly service?: ServiceAddress;
	/** `$XDG_STATE_HOME/quarterdeck`, absolute. */
	readonly stateFolder: string;
	/** Bytes that an account's database file may take before cached messages are let go. */
	readonly storageLimit: number;
	/** Agent command of the embedded service; `shell` when nothing is set. */
	readonly agent: string;
	readonly statusProbe: 'off' | 'manual' | 'auto';
	readonly display: DisplayPreferences;
	readonly keys: KeyChoices;
	/** Clicks, wheel and dragging are ours; false: the terminal's, to select text. */
	readonly mouse: boolean;
	/** When the user is not to be called. */
	readonly quietHours?: QuietHours;
	/** Is the user called too when an agent is done? */
	readonly callWhenDone: boolean;
};
