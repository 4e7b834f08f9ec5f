import type {CommandRun} from './context.ts';

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

/** One headless command. Help, parsing, completions, the man page and checks are all generated from this data. */
export type Command = Required<Pick<Description, 'args' | 'flags'>> &
	Description & {
		/** One or two words: `send`, `computers list`. */
		readonly path: string;
		/** Imports the command's code, so that no other command loads it. */
		readonly load: () => Promise<CommandRun>;
	};

type Description = {
	/** Argument names: `...` at the end means one or more, brackets mean optional. */
	readonly args?: readonly string[];
	/** The only allowed values of the first argument; shells complete them. */
	readonly choices?: readonly string[];
	readonly about: string;
	/** Further sentences for the command's own help and the man page. */
	readonly detail?: string;
	readonly flags?: readonly Flag[];
};

function command(path: string, load: () => Promise<CommandRun>, description: Description): Command {
	return {args: [], flags: [], ...description, path, load};
}

/** Commands that share their first word. Their code has a function for each verb; `''` is the word alone. */
function group<Verb extends string>(
	name: string,
	load: () => Promise<Readonly<Record<Verb, CommandRun>>>,
	verbs: Readonly<Record<Verb, Description>>,
): Command[] {
	return Object.entries<Description>(verbs).map(([verb, description]) =>
		command(`${name} ${verb}`.trim(), async () => (await load())[verb as Verb], description),
	);
}

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

const yes: Flag = {name: 'yes', about: "don't ask"};
const csv: Flag = {name: 'csv', about: 'print CSV'};
const follow: Flag = {name: 'follow', about: 'keep printing as more arrive'};
const limit = (what: string): Flag => ({name: 'limit', value: 'N', about: `at most N ${what}`});
const newest = (count: number): Flag => ({
	name: 'limit',
	value: 'N',
	about: `the newest N (default ${count})`,
});
const computerId = (about: string): Flag => ({name: 'computer-id', value: 'ID', about});

const name: Flag = {name: 'name', value: 'NAME', about: 'name of the computer, 1-63 characters'};
const remoteUser: Flag = {name: 'remote-user', value: 'USER', about: 'remote user, 1-63 characters'};
const hostId: Flag = {name: 'host-id', value: 'UUID', about: 'host id'};

const replacedList = (flag: string, value: string, about: string, what: string): Flag => ({
	name: flag,
	value,
	isRepeated: true,
	about: `${about}; replaces the list`,
	without: `clear the ${what}`,
});
const sessionSettings: readonly Flag[] = [
	{name: 'model', value: 'MODEL', about: 'model'},
	{name: 'spec-mode-model', value: 'MODEL', about: 'planning model'},
	replacedList('tag', 'NAME', 'a tag', 'tags'),
	replacedList('enabled-tool-id', 'ID', 'a tool to allow', 'allowed tools'),
	replacedList('disabled-tool-id', 'ID', 'a tool to deny', 'denied tools'),
];

const routedComputer = computerId("computer to use instead of the session's own");
const deliveryTimeout: Flag = {
	name: 'timeout',
	value: 'SECONDS',
	about: 'how long to wait for delivery, in seconds (default 120)',
};
const noWait: Flag = {name: 'no-wait', about: "return at once; the message stays queued if it can't be sent"};

const hookClient: Flag = {
	name: 'client',
	value: 'NAME',
	isRepeated: true,
	choices: ['claude', 'droid', 'qwen', 'gemini', 'codex'],
	about: 'claude, droid, qwen, gemini or codex',
};
const settingsFile = (which: string): Flag => ({
	name: 'settings',
	value: 'FILE',
	about: `${which} this settings file`,
});
const changedHooks: readonly Flag[] = [
	hookClient,
	{
		name: 'scope',
		value: 'SCOPE',
		choices: ['user', 'project', 'local'],
		about: 'user (the default), project or local settings',
	},
	settingsFile('only'),
	{name: 'dry-run', about: 'show the difference and change nothing'},
	yes,
];
const inspectedHooks: readonly Flag[] = [hookClient, settingsFile('also')];

const days: readonly Flag[] = [
	{name: 'from', value: 'DATE', about: 'first UTC day, YYYY-MM-DD (default: 28 days back)'},
	{name: 'to', value: 'DATE', about: 'last UTC day (default: yesterday)'},
];
const usageFlags: readonly Flag[] = [...days, limit('rows'), csv];
const groupedBy = (value: string): readonly Flag[] => [
	...usageFlags,
	{name: 'group-by', value, choices: [value], about: `one row per day and ${value}`},
];

export const commands: readonly Command[] = [
	...group('computers', async () => (await import('../computers/computers.ts')).computers, {
		list: {about: 'list known computers', flags: [limit('computers')]},
		get: {
			args: ['ID'],
			about: 'show a computer',
			flags: [
				{name: 'show-relay-urls', about: 'print relay URLs, which grant access to anyone who has them'},
			],
		},
		create: {
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
		update: {args: ['ID'], about: 'update a computer', flags: [name, hostId, remoteUser]},
		'install-deps': {args: ['ID'], about: 'install the dependencies again'},
		watch: {
			args: ['ID'],
			about: 'follow provisioning until the computer is up',
			detail:
				'Exits with 0 when the computer is up, 1 when a step or the computer failed, and 124 when --timeout expired. An unknown step or status counts as still running. Install output is printed as it arrives.',
			flags: [
				{name: 'timeout', value: 'SECONDS', about: 'give up after this many seconds, with exit code 124'},
			],
		},
		add: {args: ['ID'], about: 'remember a computer by its id'},
		forget: {args: ['ID'], about: 'remove a computer from the list'},
	}),
	...group('sessions', async () => (await import('../sessions/sessions.ts')).sessions, {
		list: {
			about: 'list known sessions',
			detail:
				"Makes no request: prints what was read last. With --json, quarterdeck has each session's title, state (working, your-turn, asks, failed, unsent, idle, ended, unknown, or a word of the service), since (Unix ms), evidence, needsYou, unread, lastWords and activeAt (Unix ms).",
			flags: [limit('sessions')],
		},
		get: {
			args: ['ID'],
			about: 'show a session (sends an update that changes nothing)',
			detail:
				"The service can't read a single session. This sends PATCH with an empty body: a write that changes nothing and returns the session.",
		},
		create: {
			about: 'create a session on a computer',
			flags: [
				computerId('computer to connect'),
				{name: 'cwd', value: 'FOLDER', about: 'working directory on the computer'},
				{name: 'agent', value: 'AGENT', about: 'agent of the embedded service, such as claude'},
				{
					name: 'mode',
					value: 'MODE',
					choices: ['ask', 'accept-edits', 'plan'],
					about: 'what its agent may do unasked: ask (nothing), accept-edits or plan',
				},
				{
					name: 'worktree',
					about: 'in a git worktree and branch of its own, on the embedded service',
					without: 'in the folder itself, whatever the configuration says',
				},
				...sessionSettings,
			],
		},
		update: {
			args: ['ID'],
			about: 'update a session; without flags, same as sessions get',
			detail: 'The values given replace the list; --no-tag and the like clear it.',
			flags: [
				...sessionSettings,
				{
					name: 'archived-at',
					value: 'TIME',
					about: 'when it was archived: ISO 8601 with a time zone, such as 2026-05-01T10:00:00Z',
				},
			],
		},
		add: {
			args: ['ID'],
			about: 'remember a session by its id',
			flags: [computerId('computer it runs on')],
		},
		forget: {args: ['ID'], about: 'remove a session from the list'},
		watch: {
			args: ['[ID...]'],
			about: 'print changes of sessions as they come, by default of all',
			detail:
				'Prints a line for each change of state, title, last words or number of unread messages since the last read that is saved. It reads sessions as the screen does in the background, within a request budget of its own (pollBudget in the configuration), and follows hook events.',
			flags: [{name: 'timeout', value: 'SECONDS', about: 'stop after this many seconds, with exit code 124'}],
		},
		wait: {
			args: ['ID'],
			about: 'wait until a session is in a state, and print it',
			detail:
				'States: working, your-turn (the agent is done), asks, failed, unsent, idle (nothing is open and you have read the answer), ended, and waiting: any that needs you, or the end of a turn that was seen at work. The state is read from the service first; a message of yours without an answer counts as working. your-turn, asks and failed count even if the answer was read on a screen meanwhile: the line names the state that was waited for; with --json, `met` does, and `state` is what sessions list says. Exits with 124 when --timeout expired.',
			flags: [
				{
					name: 'for',
					value: 'STATES',
					about: 'states to wait for, separated by commas (default: waiting)',
				},
				{name: 'timeout', value: 'SECONDS', about: 'give up after this many seconds, with exit code 124'},
			],
		},
		continue: {
			args: ['ID'],
			about: 'continue an ended session of another terminal here',
			detail:
				"Creates a session of the embedded service (--local) that resumes a conversation of Claude Code by its own id, in its folder, with its memory; its earlier messages stay in its transcript. Exits with 1 while the client still runs, and for other clients' sessions.",
			flags: [computerId('computer to run it on (default: the first)')],
		},
		requests: {
			args: ['[ID]'],
			about: 'list what agents wait for, oldest first',
			detail:
				'Permissions and questions of agents that the embedded service runs, and permissions that a running screen could answer for other agents (hooks install --answer): of one session or all.',
		},
		answer: {
			args: ['ID', 'REQ', 'WORD'],
			about: 'answer a request of an agent: once, always or no',
			detail:
				"--text goes to the agent: the answer to its question, or why it may not. A request that its agent no longer waits for isn't answered: exit code 4.",
			flags: [{name: 'text', value: 'WORDS', about: 'words to the agent'}],
		},
		interrupt: {args: ['ID'], about: "end the agent's running turn"},
		diff: {
			args: ['ID'],
			about: "show uncommitted changes in a session's folder",
			detail:
				'Only for sessions of the embedded service. Prints a patch; with --json one document with the branch and, for each file, path, kind, added, removed and patch. Untracked files count as new. Binary files and what is too large have no lines, and are named on stderr. Runs nothing that the settings of the repository name. Exits with 1 outside a git repository.',
			flags: [{name: 'base', about: 'also what was committed since the base branch'}],
		},
		'remove-worktree': {
			args: ['ID'],
			about: "remove a session's own git worktree once merged",
			detail:
				'Exits with 1, and says why, if files are not committed or commits are in no other branch. --force removes it anyway; commits stay in its branch.',
			flags: [{name: 'force', about: 'also if changes would be lost'}],
		},
	}),
	command('messages', async () => (await import('../messages/messages.ts')).messages, {
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
			newest(20),
			{name: 'all', about: 'the whole history'},
			{
				name: 'format',
				value: 'FORMAT',
				choices: ['markdown', 'json'],
				about: 'print one document: markdown or json',
			},
			routedComputer,
			follow,
		],
	}),
	command('send', async () => (await import('../send/send.ts')).send, {
		args: ['SESSION', 'TEXT'],
		about: 'send a message to a session; TEXT - reads stdin',
		flags: [
			{name: 'image', value: 'FILE', isRepeated: true, about: 'attach an image'},
			{name: 'file', value: 'FILE', isRepeated: true, about: 'attach a file'},
			{name: 'send-paths', about: "send each file's full local path, not just its name"},
			routedComputer,
			deliveryTimeout,
			noWait,
			{name: 'wait', about: 'wait for the answer and print it'},
		],
	}),
	...group('outbox', async () => (await import('../send/outbox.ts')).outbox, {
		list: {
			about: 'list undelivered messages, oldest first',
			flags: [
				{name: 'session', value: 'ID', about: 'only this session'},
				{name: 'all', about: 'include those delivered in the last day'},
			],
		},
		resend: {
			args: ['ID'],
			about: 'resend a message that failed or may not have arrived',
			flags: [deliveryTimeout, noWait],
		},
		discard: {args: ['ID'], about: 'remove a message from the outbox'},
		wait: {
			args: ['[ID]'],
			about: 'send queued messages and wait for the result of one or all',
			flags: [deliveryTimeout],
		},
	}),
	command('search', async () => (await import('../messages/search.ts')).search, {
		args: ['WORD...'],
		about: 'search cached messages for all the words, newest first',
		flags: [newest(50)],
	}),
	command('events', async () => (await import('../hooks/events.ts')).events, {
		about: 'print hook events received on this machine, oldest first',
		flags: [newest(100), follow],
	}),
	...group('hooks', async () => (await import('../hooks/hooks.ts')).hooks, {
		install: {
			about: 'install hooks so that agent clients report to Quarterdeck',
			flags: [
				...changedHooks,
				{name: 'last-message', about: 'also forward the start of the last message'},
				{name: 'answer', about: "also let the screen answer Claude Code's permission prompts"},
				{name: 'answer-minutes', value: 'N', about: 'how long such a prompt waits, 1 to 60 (default: 10)'},
			],
		},
		uninstall: {about: "remove the hooks and restore the clients' settings", flags: changedHooks},
		status: {about: 'show installed hooks, listening programs and waiting events', flags: inspectedHooks},
		test: {about: 'run the installed hooks under every fault', flags: inspectedHooks},
	}),
	...group('usage', async () => (await import('../organization/usage.ts')).usage, {
		tokens: {about: 'credits and tokens of the organization by day', flags: groupedBy('model')},
		tools: {about: 'tool calls and autonomy by day', flags: groupedBy('tool_name')},
		activity: {about: 'active users, sessions and messages by day', flags: groupedBy('client')},
		productivity: {about: 'files, commits and pull requests by day', flags: usageFlags},
		users: {about: 'activity of each user by day', flags: usageFlags},
	}),
	command('readiness', async () => (await import('../organization/readiness.ts')).readiness, {
		about: 'readiness reports of repositories, newest first',
		flags: [
			{name: 'repo', value: 'ID', about: 'only this repository'},
			{name: 'latest', about: 'the newest report of each repository, least ready first'},
			limit('reports'),
			csv,
		],
	}),
	command('controls', async () => (await import('../organization/controls.ts')).controls, {
		about: "changes to the organization's settings, newest first",
		flags: [
			{name: 'setting', value: 'NAME', about: 'only changes to this setting'},
			{name: 'in-force', about: 'current settings: newest known value of each'},
			limit('revisions'),
			csv,
		],
	}),
	command('users', async () => (await import('../organization/users.ts')).users, {
		about: 'users of the organization',
		flags: [
			{name: 'filter', value: 'WORDS', about: 'only users whose id, email or name contains them'},
			limit('users'),
			csv,
		],
	}),
	...group('accounts', async () => (await import('../accounts.ts')).accounts, {
		list: {about: 'list the accounts on this machine, one per organization'},
		join: {args: ['INTO', 'FROM'], about: 'merge account FROM into INTO'},
		forget: {
			args: ['ID'],
			about: 'delete everything stored for an account',
			flags: [{name: 'discard-unsent', about: 'also delete messages that were never sent'}, yes],
		},
	}),
	command('serve', async () => (await import('../serve.ts')).serve, {
		about: 'run the embedded service until interrupted',
		flags: [
			{
				name: 'port',
				value: 'PORT',
				about: 'also listen on this port of 127.0.0.1, for other clients; 0 picks a free port',
			},
			{name: 'folder', value: 'FOLDER', about: 'where the service stores its data'},
		],
	}),
	...group('storage', async () => (await import('../storage.ts')).storage, {
		prune: {
			about: 'delete cached messages, least recently used first',
			flags: [{name: 'to', value: 'SIZE', about: 'target size, such as 500 MB (default: the limit)'}, yes],
		},
		'': {about: 'show what is stored on this machine, by account and session'},
	}),
	command('keys', async () => (await import('../keys.ts')).keys, {
		about: 'list all active keys, including your own',
	}),
	command('doctor', async () => (await import('../doctor/doctor.ts')).doctor, {
		about: 'check the setup and say what to fix',
		flags: [{name: 'acknowledge', about: 'clear warnings about saved data'}],
	}),
	command('reset-terminal', async () => (await import('../reset-terminal.ts')).resetTerminal, {
		about: 'restore the terminal after a crash',
	}),
	command('completion', async () => (await import('./completion.ts')).completion, {
		args: ['SHELL'],
		choices: ['bash', 'zsh', 'fish'],
		about: 'print a completion script for bash, zsh or fish',
	}),
	command('help', async () => (await import('./help.ts')).showHelp, {
		args: ['[COMMAND...]'],
		about: 'show help',
	}),
];
