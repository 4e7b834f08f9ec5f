/** One flag of a command. Without `value` it is a switch. */
export type Flag = {
	/** In kebab case, without dashes. */
	readonly name: string;
	/** What stands for the value in the help, such as `NAME`. */
	readonly value?: string;
	/** May be given more than once. */
	readonly isRepeated?: boolean;
	readonly about: string;
};

/** One headless command. Help, parsing and checks all come from this data. */
export type Command = {
	/** One or two words: `send`, `computers list`. */
	readonly path: string;
	/** Names of the arguments, all required; of one that ends in `...` there may be several. */
	readonly args: readonly string[];
	readonly about: string;
	readonly flags: readonly Flag[];
};

export const globalFlags: readonly Flag[] = [
	{name: 'local', about: 'use the embedded service on this machine'},
	{name: 'profile', value: 'NAME', about: 'profile of the configuration file'},
	{name: 'json', about: 'JSON on stdout, one object a line for lists'},
	{name: 'help', about: 'show help'},
	{name: 'version', about: 'show the version'},
];

export const screenFlags: readonly Flag[] = [
	{name: 'session', value: 'ID', about: 'open the screen at this session'},
	{name: 'computer', value: 'ID', about: 'open the screen at this computer'},
	{name: 'view', value: 'NAME', about: 'open the screen at this view'},
	{name: 'theme', value: 'NAME', about: 'auto, dark, light, high-contrast, ansi or none'},
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
	about: 'computer to ask instead of the one the session names',
};
const settingsFlags: readonly Flag[] = [
	{name: 'model', value: 'MODEL', about: 'model of the session'},
	{name: 'spec-mode-model', value: 'MODEL', about: 'model used to plan'},
	{name: 'tag', value: 'NAME', isRepeated: true, about: 'a tag'},
	{name: 'enabled-tool-id', value: 'ID', isRepeated: true, about: 'a tool to allow'},
	{name: 'disabled-tool-id', value: 'ID', isRepeated: true, about: 'a tool to refuse'},
];
const hookClient: Flag = {
	name: 'client',
	value: 'NAME',
	isRepeated: true,
	about: 'claude, droid, qwen, gemini or codex',
};
const hookSettings: Flag = {name: 'settings', value: 'FILE', about: 'this settings file, too'};
const hookTarget: readonly Flag[] = [
	hookClient,
	{name: 'scope', value: 'SCOPE', about: 'user (the default), project or local settings'},
	{name: 'settings', value: 'FILE', about: 'this settings file and no other'},
	{name: 'dry-run', about: 'show the difference and change nothing'},
	{name: 'yes', about: "don't ask"},
];

const csv: Flag = {name: 'csv', about: 'comma-separated values on stdout'};
const usageFlags: readonly Flag[] = [
	{name: 'from', value: 'DATE', about: 'first UTC day, YYYY-MM-DD (28 days when left out)'},
	{name: 'to', value: 'DATE', about: 'last UTC day (yesterday when left out)'},
	csv,
];
const groupBy = (value: string): Flag => ({
	name: 'group-by',
	value,
	about: `a row for each ${value} of a day`,
});

export const commands: readonly Command[] = [
	{path: 'computers list', args: [], about: 'computers known here', flags: []},
	{path: 'computers get', args: ['ID'], about: 'read one computer', flags: []},
	{
		path: 'computers create',
		args: [],
		about: 'create a computer',
		flags: [
			name,
			remoteUser,
			{name: 'provider', value: 'PROVIDER', about: 'byom or e2b'},
			hostId,
			{name: 'repo', value: 'URL', isRepeated: true, about: 'a repository to clone, at most 20'},
			{name: 'auto-install-deps', about: 'install the dependencies of each repository'},
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
		flags: [],
	},
	{path: 'computers add', args: ['ID'], about: 'remember a computer by its id', flags: []},
	{path: 'computers forget', args: ['ID'], about: 'no longer list a computer', flags: []},
	{path: 'sessions list', args: [], about: 'sessions known here', flags: []},
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
		about: 'change the settings of a session',
		flags: [
			...settingsFlags,
			{name: 'archived-at', value: 'TIME', about: 'ISO 8601 time at which it was archived'},
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
			{name: 'role', value: 'ROLE', about: 'only those of user, assistant or tool'},
			{name: 'limit', value: 'N', about: 'the newest N (20 when left out)'},
			{name: 'all', about: 'the whole history'},
			{name: 'format', value: 'FORMAT', about: 'one document: markdown or json'},
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
			routedComputer,
			{name: 'wait', about: 'wait for the answer and print it'},
		],
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
			csv,
		],
	},
	{
		path: 'controls',
		args: [],
		about: "changes of the organization's settings, newest first",
		flags: [{name: 'setting', value: 'NAME', about: 'only what changed this setting'}, csv],
	},
	{
		path: 'users',
		args: [],
		about: 'users of the organization',
		flags: [{name: 'filter', value: 'WORDS', about: 'only those whose id, e-mail or name has them'}, csv],
	},
	{
		path: 'serve',
		args: [],
		about: 'run the embedded service until interrupted',
		flags: [
			{name: 'port', value: 'PORT', about: 'port on 127.0.0.1; any free one when left out'},
			{name: 'folder', value: 'FOLDER', about: 'where the service keeps everything'},
		],
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
		flags: [],
	},
	{
		path: 'reset-terminal',
		args: [],
		about: 'give the terminal back after a crash',
		flags: [],
	},
];
