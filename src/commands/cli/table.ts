/** One flag of a command. Without `value` it is a switch. */
export type Flag = {
	/** In kebab case, without dashes. */
	readonly name: string;
	/** Placeholder for the value in help, such as `NAME`. */
	readonly value?: string;
	/** May be given more than once. */
	readonly isRepeated?: boolean;
	/** The one-letter form, without its dash. */
	readonly short?: string;
	/** The only allowed values; shells complete them. */
	readonly choices?: readonly string[];
	readonly about: string;
	/** Present if `--no-NAME` is allowed; describes its effect: a switch is sent as false, a list as empty. */
	readonly without?: string;
};

/** One headless command. Help, parsing and checks are all generated from this data. */
export type Command = {
	/** One or two words: `send`, `computers list`. */
	readonly path: string;
	/** Argument names: `...` at the end means one or more, brackets mean optional. */
	readonly args: readonly string[];
	/** The only allowed values of the first argument; shells complete them. */
	readonly choices?: readonly string[];
	readonly about: string;
	/** Further sentences for the command's own help and the man page. */
	readonly detail?: string;
	readonly flags: readonly Flag[];
};

export const globalFlags: readonly Flag[] = [
	{name: 'local', about: 'use the embedded service on this machine'},
	{name: 'profile', value: 'NAME', about: 'profile from the configuration file'},
	{name: 'json', about: 'print JSON; lists print one object per line'},
	{
		name: 'debug',
		about: 'log requests and sends to debug.log in the state folder',
	},
	{name: 'help', short: 'h', about: 'show help'},
	{name: 'version', about: 'show the version'},
];

export const screenFlags: readonly Flag[] = [
	{name: 'session', value: 'ID', about: 'open the screen at this session'},
	{name: 'computer', value: 'ID', about: 'open the screen at this computer'},
	{
		name: 'view',
		value: 'NAME',
		choices: ['work', 'computers', 'usage', 'readiness', 'controls', 'users', 'events'],
		about: 'open the screen at this view',
	},
	{
		name: 'theme',
		value: 'NAME',
		choices: ['auto', 'dark', 'light', 'high-contrast', 'ansi', 'none'],
		about: 'auto, dark, light, high-contrast, ansi or none',
	},
	{name: 'screen-reader', about: 'screen-reader layout: one column of text in reading order'},
	{name: 'reduced-motion', about: 'disable animations'},
	{name: 'ascii', about: 'draw with ASCII only'},
];

const name: Flag = {name: 'name', value: 'NAME', about: 'name of the computer, 1-63 characters'};
const remoteUser: Flag = {
	name: 'remote-user',
	value: 'USER',
	about: 'remote user, 1-63 characters',
};
const hostId: Flag = {name: 'host-id', value: 'UUID', about: 'host id'};
const routedComputer: Flag = {
	name: 'computer-id',
	value: 'ID',
	about: "computer to use instead of the session's own",
};
const sendingFlags: readonly Flag[] = [
	{name: 'timeout', value: 'SECONDS', about: 'how long to wait for delivery, in seconds (default 120)'},
	{name: 'no-wait', about: "return at once; the message stays queued if it can't be sent"},
];
const settingsFlags: readonly Flag[] = [
	{name: 'model', value: 'MODEL', about: 'model'},
	{name: 'spec-mode-model', value: 'MODEL', about: 'planning model'},
	{
		name: 'tag',
		value: 'NAME',
		isRepeated: true,
		about: 'a tag; replaces the list',
		without: 'clear the tags',
	},
	{
		name: 'enabled-tool-id',
		value: 'ID',
		isRepeated: true,
		about: 'a tool to allow; replaces the list',
		without: 'clear the allowed tools',
	},
	{
		name: 'disabled-tool-id',
		value: 'ID',
		isRepeated: true,
		about: 'a tool to deny; replaces the list',
		without: 'clear the denied tools',
	},
];
const hookClient: Flag = {
	name: 'client',
	value: 'NAME',
	isRepeated: true,
	choices: ['claude', 'droid', 'qwen', 'gemini', 'codex'],
	about: 'claude, droid, qwen, gemini or codex',
};
const hookSettings: Flag = {name: 'settings', value: 'FILE', about: 'also this settings file'};
const hookTarget: readonly Flag[] = [
	hookClient,
	{
		name: 'scope',
		value: 'SCOPE',
		choices: ['user', 'project', 'local'],
		about: 'user (the default), project or local settings',
	},
	{name: 'settings', value: 'FILE', about: 'only this settings file'},
	{name: 'dry-run', about: 'show the difference and change nothing'},
	{name: 'yes', about: "don't ask"},
];

const limit = (what: string): Flag => ({name: 'limit', value: 'N', about: `at most N ${what}`});
const csv: Flag = {name: 'csv', about: 'print CSV'};
const usageFlags: readonly Flag[] = [
	{name: 'from', value: 'DATE', about: 'first UTC day, YYYY-MM-DD (default: 28 days back)'},
	{name: 'to', value: 'DATE', about: 'last UTC day (default: yesterday)'},
	limit('rows'),
	csv,
];
const groupBy = (value: string): Flag => ({
	name: 'group-by',
	value,
	choices: [value],
	about: `one row per day and ${value}`,
});

export const commands: readonly Command[] = [
	{path: 'computers list', args: [], about: 'list known computers', flags: [limit('computers')]},
	{
		path: 'computers get',
		args: ['ID'],
		about: 'show a computer',
		flags: [{name: 'show-relay-urls', about: 'print relay URLs, which grant access to anyone who has them'}],
	},
	{
		path: 'computers create',
		args: [],
		about: 'create a computer',
		flags: [
			name,
			remoteUser,
			{name: 'provider', value: 'PROVIDER', choices: ['byom', 'e2b'], about: 'byom or e2b'},
			hostId,
			{name: 'repo', value: 'URL', isRepeated: true, about: 'a repository to clone, at most 20'},
			{
				name: 'auto-install-deps',
				about: "install each repository's dependencies",
				without: "don't install them",
			},
		],
	},
	{
		path: 'computers update',
		args: ['ID'],
		about: 'update a computer',
		flags: [name, hostId, remoteUser],
	},
	{
		path: 'computers install-deps',
		args: ['ID'],
		about: 'install the dependencies again',
		flags: [],
	},
	{
		path: 'computers watch',
		args: ['ID'],
		about: 'follow provisioning until the computer is up',
		detail:
			'Exits with 0 when the computer is up, 1 when a step or the computer failed, and 124 when --timeout expired. An unknown step or status counts as still running. Install output is printed as it arrives.',
		flags: [
			{name: 'timeout', value: 'SECONDS', about: 'give up after this many seconds, with exit code 124'},
		],
	},
	{path: 'computers add', args: ['ID'], about: 'remember a computer by its id', flags: []},
	{path: 'computers forget', args: ['ID'], about: 'remove a computer from the list', flags: []},
	{path: 'sessions list', args: [], about: 'list known sessions', flags: [limit('sessions')]},
	{
		path: 'sessions get',
		args: ['ID'],
		about: 'show a session (sends an update that changes nothing)',
		detail:
			"The service can't read a single session. This sends PATCH with an empty body: a write that changes nothing and returns the session.",
		flags: [],
	},
	{
		path: 'sessions create',
		args: [],
		about: 'create a session on a computer',
		flags: [
			{name: 'computer-id', value: 'ID', about: 'computer to connect'},
			{name: 'cwd', value: 'FOLDER', about: 'working directory on the computer'},
			...settingsFlags,
		],
	},
	{
		path: 'sessions update',
		args: ['ID'],
		about: 'update a session; without flags, same as sessions get',
		detail: 'The values given replace the list; --no-tag and the like clear it.',
		flags: [
			...settingsFlags,
			{
				name: 'archived-at',
				value: 'TIME',
				about: 'when it was archived: ISO 8601 with a time zone, such as 2026-05-01T10:00:00Z',
			},
		],
	},
	{
		path: 'sessions add',
		args: ['ID'],
		about: 'remember a session by its id',
		flags: [{name: 'computer-id', value: 'ID', about: 'computer it runs on'}],
	},
	{path: 'sessions forget', args: ['ID'], about: 'remove a session from the list', flags: []},
	{
		path: 'messages',
		args: ['SESSION'],
		about: "print a session's messages, oldest first",
		detail:
			'Waits up to 40 s for the roles of new messages if the service lists them by role later than without. Roles still unknown then are printed as unknown and counted on stderr, and the exit code is 1.',
		flags: [
			{
				name: 'role',
				value: 'ROLE',
				choices: ['user', 'assistant', 'tool'],
				about: 'only this role: user, assistant or tool',
			},
			{name: 'limit', value: 'N', about: 'the newest N (default 20)'},
			{name: 'all', about: 'the whole history'},
			{
				name: 'format',
				value: 'FORMAT',
				choices: ['markdown', 'json'],
				about: 'print one document: markdown or json',
			},
			routedComputer,
			{name: 'follow', about: 'keep printing as more arrive'},
		],
	},
	{
		path: 'send',
		args: ['SESSION', 'TEXT'],
		about: 'send a message to a session; TEXT - reads stdin',
		flags: [
			{name: 'image', value: 'FILE', isRepeated: true, about: 'attach an image'},
			{name: 'file', value: 'FILE', isRepeated: true, about: 'attach a file'},
			{name: 'send-paths', about: "send each file's full local path, not just its name"},
			routedComputer,
			...sendingFlags,
			{name: 'wait', about: 'wait for the answer and print it'},
		],
	},
	{
		path: 'outbox list',
		args: [],
		about: 'list undelivered messages, oldest first',
		flags: [
			{name: 'session', value: 'ID', about: 'only this session'},
			{name: 'all', about: 'include those delivered in the last day'},
		],
	},
	{
		path: 'outbox resend',
		args: ['ID'],
		about: 'resend a message that failed or may not have arrived',
		flags: sendingFlags,
	},
	{
		path: 'outbox discard',
		args: ['ID'],
		about: 'remove a message from the outbox',
		flags: [],
	},
	{
		path: 'outbox wait',
		args: ['[ID]'],
		about: 'send queued messages and wait for the result of one or all',
		flags: sendingFlags.slice(0, 1),
	},
	{
		path: 'search',
		args: ['WORD...'],
		about: 'search cached messages for all the words, newest first',
		flags: [{name: 'limit', value: 'N', about: 'the newest N (default 50)'}],
	},
	{
		path: 'events',
		args: [],
		about: 'print hook events received on this machine, oldest first',
		flags: [
			{name: 'limit', value: 'N', about: 'the newest N (default 100)'},
			{name: 'follow', about: 'keep printing as more arrive'},
		],
	},
	{
		path: 'hooks install',
		args: [],
		about: 'install hooks so that agent clients report to Quarterdeck',
		flags: [...hookTarget, {name: 'last-message', about: 'also forward the start of the last message'}],
	},
	{
		path: 'hooks uninstall',
		args: [],
		about: "remove the hooks and restore the clients' settings",
		flags: hookTarget,
	},
	{
		path: 'hooks status',
		args: [],
		about: 'show installed hooks, listening programs and waiting events',
		flags: [hookClient, hookSettings],
	},
	{
		path: 'hooks test',
		args: [],
		about: 'run the installed hooks under every fault',
		flags: [hookClient, hookSettings],
	},
	{
		path: 'usage tokens',
		args: [],
		about: 'credits and tokens of the organization by day',
		flags: [...usageFlags, groupBy('model')],
	},
	{
		path: 'usage tools',
		args: [],
		about: 'tool calls and autonomy by day',
		flags: [...usageFlags, groupBy('tool_name')],
	},
	{
		path: 'usage activity',
		args: [],
		about: 'active users, sessions and messages by day',
		flags: [...usageFlags, groupBy('client')],
	},
	{path: 'usage productivity', args: [], about: 'files, commits and pull requests by day', flags: usageFlags},
	{path: 'usage users', args: [], about: 'activity of each user by day', flags: usageFlags},
	{
		path: 'readiness',
		args: [],
		about: 'readiness reports of repositories, newest first',
		flags: [
			{name: 'repo', value: 'ID', about: 'only this repository'},
			{name: 'latest', about: 'the newest report of each repository, least ready first'},
			limit('reports'),
			csv,
		],
	},
	{
		path: 'controls',
		args: [],
		about: "changes to the organization's settings, newest first",
		flags: [
			{name: 'setting', value: 'NAME', about: 'only changes to this setting'},
			{name: 'in-force', about: 'current settings: newest known value of each'},
			limit('revisions'),
			csv,
		],
	},
	{
		path: 'users',
		args: [],
		about: 'users of the organization',
		flags: [
			{name: 'filter', value: 'WORDS', about: 'only users whose id, email or name contains them'},
			limit('users'),
			csv,
		],
	},
	{
		path: 'accounts list',
		args: [],
		about: 'list the accounts on this machine, one per organization',
		flags: [],
	},
	{
		path: 'accounts join',
		args: ['INTO', 'FROM'],
		about: 'merge account FROM into INTO',
		flags: [],
	},
	{
		path: 'accounts forget',
		args: ['ID'],
		about: 'delete everything stored for an account',
		flags: [
			{name: 'discard-unsent', about: 'also delete messages that were never sent'},
			{name: 'yes', about: "don't ask"},
		],
	},
	{
		path: 'serve',
		args: [],
		about: 'run the embedded service until interrupted',
		flags: [
			{
				name: 'port',
				value: 'PORT',
				about: 'also listen on this port of 127.0.0.1, for other clients; 0 picks a free port',
			},
			{name: 'folder', value: 'FOLDER', about: 'where the service stores its data'},
		],
	},
	{
		path: 'storage prune',
		args: [],
		about: 'delete cached messages, least recently used first',
		flags: [
			{name: 'to', value: 'SIZE', about: 'target size, such as 500 MB (default: the limit)'},
			{name: 'yes', about: "don't ask"},
		],
	},
	{
		path: 'storage',
		args: [],
		about: 'show what is stored on this machine, by account and session',
		flags: [],
	},
	{
		path: 'keys',
		args: [],
		about: 'list all active keys, including your own',
		flags: [],
	},
	{
		path: 'doctor',
		args: [],
		about: 'check the setup and say what to fix',
		flags: [{name: 'acknowledge', about: 'clear warnings about saved data'}],
	},
	{
		path: 'reset-terminal',
		args: [],
		about: 'restore the terminal after a crash',
		flags: [],
	},
	{
		path: 'completion',
		args: ['SHELL'],
		choices: ['bash', 'zsh', 'fish'],
		about: 'print a completion script for bash, zsh or fish',
		flags: [],
	},
	{path: 'help', args: ['[COMMAND...]'], about: 'show help', flags: []},
];
