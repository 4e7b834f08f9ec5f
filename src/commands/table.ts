/** One flag of a command. Without `value` it is a switch. */
export type Flag = {
	/** In kebab case, without dashes. */
	readonly name: string;
	/** What stands for the value in the help, such as `NAME`. */
	readonly value?: string;
	/** May be given more than once. */
	readonly isRepeated?: boolean;
	/** The one-letter form, without its dash. */
	readonly short?: string;
	/** The only values there are; completed by the shells. */
	readonly choices?: readonly string[];
	readonly about: string;
	/** It can be denied by `--no-NAME`, and what that means: a switch is sent as false, a list as empty. */
	readonly without?: string;
};

/** One headless command. Help, parsing and checks all come from this data. */
export type Command = {
	/** One or two words: `send`, `computers list`. */
	readonly path: string;
	/** Names of the arguments: of one that ends in `...` there may be several, one in brackets may be missing. */
	readonly args: readonly string[];
	/** The only values of the first argument; completed by the shells. */
	readonly choices?: readonly string[];
	readonly about: string;
	/** More of it, in whole sentences, for the command's own help and the man page. */
	readonly detail?: string;
	readonly flags: readonly Flag[];
};

export const globalFlags: readonly Flag[] = [
	{name: 'local', about: 'use the embedded service on this machine'},
	{name: 'profile', value: 'NAME', about: 'profile of the configuration file'},
	{name: 'json', about: 'JSON on stdout, one object a line for lists'},
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
	{name: 'screen-reader', about: 'one column of words in reading order'},
	{name: 'reduced-motion', about: 'nothing moves that brings no news'},
	{name: 'ascii', about: 'draw with ASCII alone'},
];

const name: Flag = {name: 'name', value: 'NAME', about: 'name of the computer, 1-63 characters'};
const remoteUser: Flag = {
	name: 'remote-user',
	value: 'USER',
	about: 'user on the computer, 1-63 characters',
};
const hostId: Flag = {name: 'host-id', value: 'UUID', about: 'id of the host'};
const routedComputer: Flag = {
	name: 'computer-id',
	value: 'ID',
	about: "computer to ask instead of the session's own",
};
const sendingFlags: readonly Flag[] = [
	{name: 'timeout', value: 'SECONDS', about: 'how long to wait until it can be sent (120 when left out)'},
	{name: 'no-wait', about: "leave it queued when it can't be sent at once"},
];
const settingsFlags: readonly Flag[] = [
	{name: 'model', value: 'MODEL', about: 'model of the session'},
	{name: 'spec-mode-model', value: 'MODEL', about: 'model used to plan'},
	{name: 'tag', value: 'NAME', isRepeated: true, about: 'a tag; the list is replaced', without: 'no tags'},
	{
		name: 'enabled-tool-id',
		value: 'ID',
		isRepeated: true,
		about: 'a tool to allow; the list is replaced',
		without: 'an empty list of allowed tools',
	},
	{
		name: 'disabled-tool-id',
		value: 'ID',
		isRepeated: true,
		about: 'a tool to refuse; the list is replaced',
		without: 'an empty list of refused tools',
	},
];
const hookClient: Flag = {
	name: 'client',
	value: 'NAME',
	isRepeated: true,
	choices: ['claude', 'droid', 'qwen', 'gemini', 'codex'],
	about: 'claude, droid, qwen, gemini or codex',
};
const hookSettings: Flag = {name: 'settings', value: 'FILE', about: 'this settings file, too'};
const hookTarget: readonly Flag[] = [
	hookClient,
	{
		name: 'scope',
		value: 'SCOPE',
		choices: ['user', 'project', 'local'],
		about: 'user (the default), project or local settings',
	},
	{name: 'settings', value: 'FILE', about: 'this settings file and no other'},
	{name: 'dry-run', about: 'show the difference and change nothing'},
	{name: 'yes', about: "don't ask"},
];

const limit = (what: string): Flag => ({name: 'limit', value: 'N', about: `at most N ${what}`});
const csv: Flag = {name: 'csv', about: 'comma-separated values on stdout'};
const usageFlags: readonly Flag[] = [
	{name: 'from', value: 'DATE', about: 'first UTC day, YYYY-MM-DD (28 days when left out)'},
	{name: 'to', value: 'DATE', about: 'last UTC day (yesterday when left out)'},
	limit('rows'),
	csv,
];
const groupBy = (value: string): Flag => ({
	name: 'group-by',
	value,
	choices: [value],
	about: `a row for each ${value} of a day`,
});

export const commands: readonly Command[] = [
	{path: 'computers list', args: [], about: 'computers known here', flags: [limit('computers')]},
	{
		path: 'computers get',
		args: ['ID'],
		about: 'read one computer',
		flags: [
			{name: 'show-relay-urls', about: "print the relay's addresses, which let in anyone who has them"},
		],
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
				about: 'install the dependencies of each repository',
				without: "don't install them",
			},
		],
	},
	{
		path: 'computers update',
		args: ['ID'],
		about: 'change a computer',
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
		about: 'follow the provisioning steps until the computer is up',
		detail:
			'Ends with 0 when the computer is up, with 1 when a step or the computer failed, and with 124 when --timeout is over. It ends on words it knows only: a step or a status with any other word is waited for. The output of the install is printed as it comes.',
		flags: [{name: 'timeout', value: 'SECONDS', about: 'give up after this long, with exit code 124'}],
	},
	{path: 'computers add', args: ['ID'], about: 'remember a computer by its id', flags: []},
	{path: 'computers forget', args: ['ID'], about: 'no longer list a computer', flags: []},
	{path: 'sessions list', args: [], about: 'sessions known here', flags: [limit('sessions')]},
	{
		path: 'sessions get',
		args: ['ID'],
		about: 'read one session, by an update that changes nothing',
		detail:
			'The service has no read of one session. This sends PATCH with an empty body: a write, which answers the whole session.',
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
		about: "change a session's settings; no flags: same as sessions get",
		detail: 'A list is replaced by the values given; --no-tag and the like send an empty one.',
		flags: [
			...settingsFlags,
			{
				name: 'archived-at',
				value: 'TIME',
				about: 'when it was archived: ISO 8601 with its zone, such as 2026-05-01T10:00:00Z',
			},
		],
	},
	{
		path: 'sessions add',
		args: ['ID'],
		about: 'remember a session by its id',
		flags: [{name: 'computer-id', value: 'ID', about: 'computer it runs on'}],
	},
	{path: 'sessions forget', args: ['ID'], about: 'no longer list a session', flags: []},
	{
		path: 'messages',
		args: ['SESSION'],
		about: 'messages of a session, oldest first',
		flags: [
			{
				name: 'role',
				value: 'ROLE',
				choices: ['user', 'assistant', 'tool'],
				about: 'only those of user, assistant or tool',
			},
			{name: 'limit', value: 'N', about: 'the newest N (20 when left out)'},
			{name: 'all', about: 'the whole history'},
			{
				name: 'format',
				value: 'FORMAT',
				choices: ['markdown', 'json'],
				about: 'one document: markdown or json',
			},
			routedComputer,
			{name: 'follow', about: 'go on with what comes'},
		],
	},
	{
		path: 'send',
		args: ['SESSION', 'TEXT'],
		about: 'add a message to a session; TEXT - reads it from stdin',
		flags: [
			{name: 'image', value: 'FILE', isRepeated: true, about: 'attach an image'},
			{name: 'file', value: 'FILE', isRepeated: true, about: 'attach a file'},
			{name: 'send-paths', about: "send each file's full local path, not only its name"},
			routedComputer,
			...sendingFlags,
			{name: 'wait', about: 'wait for the answer and print it'},
		],
	},
	{
		path: 'outbox list',
		args: [],
		about: 'messages that are not delivered, oldest first',
		flags: [
			{name: 'session', value: 'ID', about: 'of one session only'},
			{name: 'all', about: 'also those delivered in the last day'},
		],
	},
	{
		path: 'outbox resend',
		args: ['ID'],
		about: 'send a message again that failed or may not have arrived',
		flags: sendingFlags,
	},
	{
		path: 'outbox discard',
		args: ['ID'],
		about: 'take a message out of the outbox',
		flags: [],
	},
	{
		path: 'outbox wait',
		args: ['[ID]'],
		about: 'send queued messages, and wait until one or all are settled',
		flags: sendingFlags.slice(0, 1),
	},
	{
		path: 'search',
		args: ['WORD...'],
		about: 'messages read here that hold all the words, newest first',
		flags: [{name: 'limit', value: 'N', about: 'the newest N (50 when left out)'}],
	},
	{
		path: 'events',
		args: [],
		about: 'hook events received on this machine, oldest first',
		flags: [
			{name: 'limit', value: 'N', about: 'the newest N (100 when left out)'},
			{name: 'follow', about: 'go on with what comes'},
		],
	},
	{
		path: 'hooks install',
		args: [],
		about: "let agents' clients tell Quarterdeck what happens",
		flags: [...hookTarget, {name: 'last-message', about: 'forward the start of the last message, too'}],
	},
	{
		path: 'hooks uninstall',
		args: [],
		about: "leave clients' settings as they were before",
		flags: hookTarget,
	},
	{
		path: 'hooks status',
		args: [],
		about: 'what is installed, who listens, what waits',
		flags: [hookClient, hookSettings],
	},
	{
		path: 'hooks test',
		args: [],
		about: 'run the installed hooks with every fault',
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
	{path: 'usage users', args: [], about: 'what each user did by day', flags: usageFlags},
	{
		path: 'readiness',
		args: [],
		about: 'readiness reports of repositories, newest first',
		flags: [
			{name: 'repo', value: 'ID', about: 'of one repository only'},
			{name: 'latest', about: 'the newest of each repository, least ready first'},
			limit('reports'),
			csv,
		],
	},
	{
		path: 'controls',
		args: [],
		about: "changes of the organization's settings, newest first",
		flags: [
			{name: 'setting', value: 'NAME', about: 'only what changed this setting'},
			{name: 'in-force', about: 'the settings in force: the newest known value of each'},
			limit('revisions'),
			csv,
		],
	},
	{
		path: 'users',
		args: [],
		about: 'users of the organization',
		flags: [
			{name: 'filter', value: 'WORDS', about: 'only those whose id, e-mail or name has them'},
			limit('users'),
			csv,
		],
	},
	{
		path: 'accounts list',
		args: [],
		about: 'accounts on this machine, one per organization',
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
			{name: 'discard-unsent', about: 'delete messages that were never sent, too'},
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
				about: 'listen on this port of 127.0.0.1 too, for other clients; 0 is any free one',
			},
			{name: 'folder', value: 'FOLDER', about: 'where the service keeps everything'},
		],
	},
	{
		path: 'storage prune',
		args: [],
		about: 'delete cached messages, least recently used first',
		flags: [
			{name: 'to', value: 'SIZE', about: 'until so much is left, such as 500 MB (the limit when left out)'},
			{name: 'yes', about: "don't ask"},
		],
	},
	{
		path: 'storage',
		args: [],
		about: 'what is stored on this machine, by account and session',
		flags: [],
	},
	{
		path: 'keys',
		args: [],
		about: 'every key in force on the screen, yours among them',
		flags: [],
	},
	{
		path: 'doctor',
		args: [],
		about: 'check the set-up and say what to do',
		flags: [{name: 'acknowledge', about: 'no longer show what happened to saved data'}],
	},
	{
		path: 'reset-terminal',
		args: [],
		about: 'give the terminal back after a crash',
		flags: [],
	},
	{
		path: 'completion',
		args: ['SHELL'],
		choices: ['bash', 'zsh', 'fish'],
		about: 'completions for bash, zsh or fish, as a script',
		flags: [],
	},
	{path: 'help', args: ['[COMMAND...]'], about: 'show help, as --help does', flags: []},
];
