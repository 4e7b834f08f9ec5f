import {type Command, command, group} from './command.ts';
import {
	changedHooks,
	computerId,
	csv,
	deliveryTimeout,
	follow,
	groupedBy,
	hostId,
	inspectedHooks,
	limit,
	mode,
	name,
	newest,
	noWait,
	remoteUser,
	routedComputer,
	sessionSettings,
	timeout,
	usageFlags,
	yes,
} from './flags.ts';

const creditsName = 'CSV and JSON call credits billable_tokens, as the service does.';
const idOrName = 'The ID can be a name, if only one known computer has that name.';

/** All headless commands, in the order in which help shows them. */
export const commands: readonly Command[] = [
	...group('computers', async () => (await import('../computers/computers.ts')).computers, {
		list: {
			about: 'list known computers',
			detail:
				'Makes no request: prints what was last read. In CSV, time is how long the install steps took, in ms. With --json, each computer has its state and needsYou under quarterdeck.',
			flags: [limit('computers'), csv],
		},
		get: {
			args: ['ID'],
			about: 'show a computer',
			detail: idOrName,
			flags: [
				{name: 'show-relay-urls', about: 'print relay URLs, which grant access to anyone who has them'},
			],
		},
		create: {
			about: 'create a computer',
			examples: [
				'computers create --ssh devbox',
				'computers create --name box --remote-user me --repo https://git.example/app',
			],
			detail:
				'With --ssh or --command, the embedded service sets up another machine: it copies Quarterdeck there, and Node if there is none, and starts its service. computers watch follows that. --name is then optional, and --remote-user has no effect.',
			flags: [
				{...name, about: `${name.about}; required without --ssh and --command`},
				{...remoteUser, about: `${remoteUser.about}; required without --ssh and --command`},
				{name: 'ssh', value: 'HOST', about: 'another machine, as ssh calls it'},
				{
					name: 'command',
					value: 'COMMAND',
					about: 'another machine, by a command that runs a program there, such as "podman exec -i gpu"',
				},
				yes,
				{
					name: 'provider',
					value: 'PROVIDER',
					choices: ['byom', 'e2b'],
					about: 'byom (your own machine) or e2b (a cloud sandbox)',
				},
				hostId,
				{name: 'repo', value: 'URL', isRepeated: true, about: 'a repository to clone, at most 20'},
				{
					name: 'auto-install-deps',
					about: "install each repository's dependencies; the default if there are repositories",
					aboutNegated: "don't install them",
				},
			],
		},
		update: {args: ['ID'], about: 'update a computer', detail: idOrName, flags: [name, hostId, remoteUser]},
		'install-deps': {args: ['ID'], about: 'install the dependencies again', detail: idOrName},
		watch: {
			args: ['ID'],
			about: 'follow provisioning until the computer is up',
			detail: `${idOrName} Exits with 0 when the computer is up, 1 when a step or the computer failed, and 124 when --timeout expires. An unknown step or status counts as still running. Install output is printed as it arrives.`,
			flags: [timeout('give up after this many seconds, with exit code 124')],
		},
		add: {args: ['ID...'], about: 'add existing computers by their ids'},
		connect: {
			args: ['ID'],
			about: 'connect to another machine again, and retry a failed step',
			detail: idOrName,
		},
		forget: {
			args: ['ID'],
			about: 'remove a computer from the list',
			detail: `${idOrName} Nothing ends or is deleted on the computer itself. With --remove, the service on another machine ends, and the program is removed there.`,
			flags: [
				{name: 'remove', about: 'end the service on the other machine, and remove the program there'},
				yes,
			],
		},
	}),
	...group('sessions', async () => (await import('../sessions/sessions.ts')).sessions, {
		list: {
			about: 'list known sessions',
			onlyReads: true,
			detail:
				'Makes no request: prints what a screen or command last read. --refresh reads each session first. A state with ? is a guess. working?: the last read was over a minute ago, so the turn may have ended. done? and idle?: no message has come for a while, but nothing says that the turn is over. quarterdeck help scripting names the fields of --json.',
			examples: ['sessions list --needs-you', 'sessions list --state failed,asks --computer box'],
			flags: [
				{name: 'refresh', about: 'first read each session once, as a screen would'},
				{name: 'needs-you', about: 'only those that need you, in the order of the screen'},
				{name: 'state', value: 'STATES', about: 'only those in one of these states'},
				{name: 'computer', value: 'ID', about: 'only those on this computer, by id or name'},
				{name: 'tag', value: 'NAME', isRepeated: true, about: 'only those with this tag'},
				limit('sessions'),
				csv,
			],
		},
		get: {
			args: ['ID'],
			about: 'show a session',
			detail:
				'Also reads its newest messages, for its state. A hosted service has no request that only reads a session: it is sent an empty update (PATCH), which changes nothing and returns the session.',
		},
		create: {
			about: 'create a session on a computer',
			examples: [
				'sessions create --computer-id box --cwd src/app',
				'sessions create --computer-id box --json | jq -r .sessionId',
			],
			flags: [
				{...computerId('computer to run it on'), isRequired: true},
				{name: 'cwd', value: 'FOLDER', about: 'working directory on the computer'},
				{name: 'agent', value: 'AGENT', about: 'agent of the embedded service, such as claude'},
				mode,
				{
					name: 'worktree',
					about: 'in a git worktree and branch of its own, on the embedded service',
					aboutNegated: 'in the folder itself, whatever the configuration says',
				},
				...sessionSettings,
			],
		},
		update: {
			args: ['ID'],
			about: 'update a session; without flags, same as sessions get',
			examples: ['sessions update ID --tag release --tag urgent', 'sessions update ID --no-tag'],
			detail:
				'The values of a list replace all of it; --no-tag and the like empty it. A new mode applies at once, even while the agent works; codex takes one only between turns. Exits with 1 if the client refuses the mode.',
			flags: [
				mode,
				...sessionSettings,
				{
					name: 'archived-at',
					value: 'TIME',
					about: 'when it was archived: ISO 8601 with a time zone, such as 2026-05-01T10:00:00Z',
				},
			],
		},
		add: {
			args: ['ID...'],
			about: 'add existing sessions by their ids',
			flags: [computerId('computer it runs on')],
		},
		forget: {args: ['ID'], about: 'remove a session from the list'},
		watch: {
			args: ['[ID...]'],
			about: 'print changes of all or some sessions',
			examples: ["sessions watch --json | jq -r 'select(.quarterdeck.needsYou) | .sessionId'"],
			detail:
				'Prints a line for each change of state, title, last words or number of unread messages, starting from what sessions list prints. It reads sessions as the screen does in the background, within a request budget of its own (pollBudget in the configuration), and follows hook events.',
			flags: [timeout('stop after this many seconds, with exit code 124')],
		},
		wait: {
			args: ['ID'],
			about: 'wait until a session is in a state, and print it',
			examples: ['sessions wait ID --for asks,failed,done --timeout 1800'],
			detail:
				'States: asks, failed, done (it has answered), working, idle (nothing is open and you have read the answer), unsent, ended, archived, and waiting (the session needs you, or its turn is over). The state is read from the service first; a message of yours without an answer counts as working. asks, failed and done match even if the answer was read on a screen meanwhile. The line names the state that matched; with --json, it is in `met`, and `state` is what sessions list says. Exits with 124 when --timeout expires.',
			flags: [
				{
					name: 'for',
					value: 'STATES',
					about: 'states to wait for, separated by commas (default: waiting)',
				},
				timeout('give up after this many seconds, with exit code 124'),
			],
		},
		continue: {
			args: ['[ID]'],
			about: 'continue an ended session of another terminal',
			detail:
				"With ID, creates a session of the embedded service (--local) that goes on with a conversation of Claude Code, in the same folder and with the agent's memory. Earlier messages stay in the transcript. Exits with 1 while the client still runs, and for other clients' sessions. With --interrupted, continues all sessions that were at work when the embedded service ended, and prints them.",
			flags: [
				computerId('computer to run it on (default: the first)'),
				{
					name: 'interrupted',
					about: 'instead of ID: all sessions that were at work when the embedded service ended',
				},
			],
		},
		requests: {
			args: ['[ID]'],
			about: 'list what agents wait for, oldest first',
			flags: [limit('requests')],
			detail:
				"Lists permissions and questions of the embedded service's agents, and permission prompts of other agents that a running screen can answer (hooks install --answer). Without ID, lists those of all sessions.",
		},
		answer: {
			args: ['ID', 'REQ', 'WORD'],
			about: 'answer a request of an agent with one of its words',
			examples: [
				'sessions answer ID REQ once',
				"sessions answer ID REQ no --text 'Use the staging database'",
			],
			detail:
				'The words that a request takes, and what each changes from now on, are in the columns answers and changes of sessions requests, and in `options` with --json. --text is sent to the agent: the answer to its question, or the reason for a denial. Exits with 4 if the agent no longer waits for the request.',
			flags: [{name: 'text', value: 'WORDS', about: 'words to the agent'}],
		},
		interrupt: {args: ['ID'], about: "end the agent's running turn"},
		diff: {
			args: ['ID'],
			about: "show uncommitted changes in a session's folder",
			detail:
				"Only for sessions of the embedded service. Prints a patch; with --json one document with the branch and, for each file, path, kind, added, removed and patch. Untracked files count as new. Binary and very large files have no lines and are named on stderr. Runs no program named in the repository's settings. Exits with 1 outside a git repository.",
			flags: [{name: 'base', about: 'include commits since the base branch'}],
		},
		'remove-worktree': {
			args: ['ID'],
			about: "remove a session's own git worktree once merged",
			detail:
				'Exits with 1, and says why, if files are not committed or commits are in no other branch. --force removes it anyway; commits stay in its branch.',
			flags: [{name: 'force', about: 'remove it even if changes would be lost'}],
		},
	}),
	command('status', async () => (await import('../status.ts')).status, {
		about: 'print one line for a status bar',
		onlyReads: true,
		detail:
			'Prints, as last saved, how many sessions and computers need you and how many sessions work, such as ! 3  ● 5. A ? at the end means that the second number may be out of date, because no screen is open. ? alone means that nothing was saved for this profile or with this key. Makes no request, and neither reads a key file nor runs a key command. In tmux: set -g status-right "#(quarterdeck status)".',
		examples: ['status', 'status --json'],
	}),
	command('messages', async () => (await import('../messages/messages.ts')).messages, {
		args: ['SESSION'],
		about: "print a session's messages, oldest first",
		examples: ['messages ID --role assistant --limit 1', 'messages ID --all --format markdown > session.md'],
		detail:
			'If the service does not say who wrote a message, its role is printed as unknown, a count of these goes to stderr, and the exit code is 1. Reading messages also updates the state that sessions list prints, except with --role, which reads only part of them.',
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
		argsAdvice: 'Quote the message, or send it on stdin with - as its text:',
		about: 'send a message to a session; - as TEXT reads stdin',
		detail:
			'--timeout limits the time until the message is delivered, --wait-timeout the wait for the answer. Exit code 5 means that no response came: run the same command again; it first checks whether the message arrived.',
		examples: [
			"send ID 'Run the tests and fix what fails'",
			"send ID 'Describe this picture' --image shot.png --wait --wait-timeout 600",
			'send ID - < prompt.md',
		],
		flags: [
			{name: 'image', value: 'FILE', isRepeated: true, about: 'attach an image'},
			{name: 'file', value: 'FILE', isRepeated: true, about: 'attach a file'},
			{name: 'send-paths', about: "send each file's full local path, not just its name"},
			routedComputer,
			deliveryTimeout,
			noWait,
			{name: 'wait', about: 'wait for the answer, and print it'},
			timeout('with --wait: give up after this many seconds, with exit code 124', 'wait-timeout'),
		],
	}),
	...group('outbox', async () => (await import('../send/outbox.ts')).outbox, {
		list: {
			about: 'list undelivered messages, oldest first',
			onlyReads: true,
			flags: [
				{name: 'session', value: 'ID', about: 'only this session'},
				{name: 'all', about: 'include those delivered in the last day'},
				limit('messages'),
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
			about: 'send queued messages, one or all, and wait for the result',
			flags: [deliveryTimeout],
		},
	}),
	command('search', async () => (await import('../messages/search.ts')).search, {
		args: ['WORD...'],
		about: 'search cached messages for all the words, newest first',
		onlyReads: true,
		examples: ['search migration failed --limit 5'],
		detail: `Words match from their beginning; words in double quotes match exactly, and only together: search '"step 25"'. Of a message longer than 64 KB, only the beginning and the end are searched.`,
		flags: [newest(50)],
	}),
	command('events', async () => (await import('../hooks/events.ts')).events, {
		about: 'print hook events received on this machine, oldest first',
		flags: [newest(100), follow],
	}),
	...group('hooks', () => import('../hooks/change.ts'), {
		install: {
			about: 'install hooks so that agent clients report to Quarterdeck',
			flags: [
				...changedHooks,
				{name: 'last-message', about: 'also forward the start of the last message'},
				{name: 'answer', about: "also let the screen answer Claude Code's permission prompts"},
				{
					name: 'answer-minutes',
					value: 'N',
					range: {min: 1, max: 60},
					about: 'how long such a prompt waits, 1 to 60 (default: 10)',
				},
			],
		},
		uninstall: {about: "remove the hooks and restore the clients' settings", flags: changedHooks},
	}),
	command('hooks status', async () => (await import('../hooks/status.ts')).status, {
		about: 'show installed hooks, listening programs and waiting events',
		onlyReads: true,
		flags: inspectedHooks,
	}),
	command('hooks test', async () => (await import('../hooks/test.ts')).test, {
		about: 'run each installed hook once, as its client would',
		flags: inspectedHooks,
	}),
	...group('usage', async () => (await import('../organization/usage.ts')).usage, {
		tokens: {
			about: 'credits and tokens of the organization by day',
			detail: creditsName,
			examples: ['usage tokens --from 2026-05-01 --to 2026-05-31 --group-by model --csv'],
			flags: groupedBy('model'),
		},
		tools: {about: 'tool calls and autonomy by day', flags: groupedBy('tool_name')},
		activity: {about: 'active users, sessions and messages by day', flags: groupedBy('client')},
		productivity: {about: 'files, commits and pull requests by day', flags: usageFlags},
		users: {
			about: 'activity of each user by day',
			detail: `Reads everything before it prints the first row, even with --limit: the service lists rows by user, and they are printed by day. Days that can no longer change are read only once. ${creditsName}`,
			flags: usageFlags,
		},
	}),
	command('readiness', async () => (await import('../organization/lists.ts')).readiness, {
		about: 'readiness reports of repositories, newest first',
		flags: [
			{name: 'repo', value: 'ID', about: 'only this repository'},
			{name: 'latest', about: 'the newest report of each repository, least ready first'},
			limit('reports'),
			csv,
		],
	}),
	command('controls', async () => (await import('../organization/lists.ts')).controls, {
		about: "changes to the organization's settings, newest first",
		flags: [
			{name: 'setting', value: 'NAME', about: 'only changes to this setting'},
			{name: 'in-force', about: 'current settings: newest known value of each'},
			limit('revisions'),
			csv,
		],
	}),
	command('users', async () => (await import('../organization/lists.ts')).users, {
		about: 'users of the organization',
		flags: [
			{name: 'filter', value: 'WORDS', about: 'only users whose id, email, name or metadata contains them'},
			limit('users'),
			csv,
		],
	}),
	...group('accounts', async () => (await import('../accounts.ts')).accounts, {
		list: {
			about: 'list the accounts on this machine, one per organization',
			onlyReads: true,
			flags: [limit('accounts')],
		},
		use: {
			args: ['ID'],
			about: 'choose which account the key in use opens',
			detail:
				'From now on, the key in use opens the data of this account: the key that any other command would send. Sends nothing. With the word new as ID, the key gets an account of its own. An account of another address is refused, and so is a token of another organization.',
		},
		forget: {
			args: ['ID'],
			about: 'delete everything stored for an account',
			flags: [{name: 'discard-unsent', about: 'also delete messages that were never sent'}, yes],
		},
	}),
	...group('profiles', async () => (await import('../profiles.ts')).profiles, {
		list: {
			about: 'list the profiles, and which of them is used',
			detail:
				'DEFAULT is the one that profiles default chose: the screen and all commands use it. If none was chosen, the screen opens the profile that was open last, and commands use the first hosted service of the list, so that scripts do the same every time. USED BY says which these are now. --profile and --local override all this.',
			flags: [limit('profiles')],
		},
		set: {
			args: ['NAME'],
			about: 'create a profile, or change its address or key source',
			examples: ['profiles set acme --base-url https://acme.example --key-file ~/.acme-key'],
			detail:
				'Values not given stay as they are. Without a key source, the key is read from QUARTERDECK_API_KEY. Nothing is sent: quarterdeck doctor --profile NAME checks the profile. Stored data belongs to an address and its organization, so a new address has its own.',
			flags: [
				{name: 'base-url', value: 'URL', about: 'address of the service'},
				{name: 'app-url', value: 'URL', about: 'address of readiness reports, if it differs'},
				{name: 'key-file', value: 'FILE', about: 'file with the key, readable only by you'},
				{name: 'key-command', value: 'LINE', about: 'command for sh that prints the key'},
			],
		},
		rename: {args: ['NAME', 'NEW'], about: 'rename a profile'},
		default: {args: ['NAME'], about: 'make a profile the default of the screen and all commands'},
		remove: {
			args: ['NAME'],
			about: "remove a profile; its account's data stays",
			flags: [yes],
		},
	}),
	command('bridge', async () => (await import('../bridge.ts')).bridge, {
		about: 'connect the embedded service here to a Quarterdeck elsewhere',
		isInternal: true,
		detail:
			'A Quarterdeck whose computer this machine is runs this here, over ssh or the like: HTTP/2 on standard input and output, after a line that says so. Starts the embedded service if it does not run. Ends with its input, or after a minute without a sign of the other end.',
	}),
	command('serve', async () => (await import('../serve.ts')).serve, {
		about: 'run the embedded service in the foreground, or end it',
		examples: ['serve --port 8080', 'serve --stop'],
		flags: [
			{
				name: 'port',
				value: 'PORT',
				range: {min: 0, max: 65_535},
				about: 'also listen on this port of 127.0.0.1, for other clients; 0 picks a free port',
			},
			{
				name: 'idle',
				value: 'SECONDS',
				range: {min: 0, max: 1_000_000},
				about: 'end after this long without clients and work',
			},
			{
				name: 'status',
				about: 'say which process runs it; exit 1 if none does',
			},
			{name: 'stop', about: 'end it, and its agents'},
			yes,
		],
	}),
	...group('storage', async () => (await import('../storage.ts')).storage, {
		prune: {
			about: 'delete cached messages, least recently used first',
			flags: [{name: 'to', value: 'SIZE', about: 'target size, such as 500 MB (default: the limit)'}, yes],
		},
		'': {
			about: 'show what is stored on this machine, by account and session',
			onlyReads: true,
			flags: [limit('sessions')],
		},
	}),
	command('keys', async () => (await import('../keys.ts')).keys, {
		about: 'list all active keys, including your own',
		readsKeys: true,
		flags: [limit('keys')],
	}),
	command('doctor', async () => (await import('../doctor/doctor.ts')).doctor, {
		about: 'check the setup and say what to fix',
		readsKeys: true,
		flags: [{name: 'acknowledge', about: 'clear warnings about saved data'}],
	}),
	command('reset-terminal', async () => (await import('../reset-terminal.ts')).resetTerminal, {
		about: 'restore the terminal after a crash',
	}),
	command('uninstall', async () => (await import('../uninstall.ts')).uninstall, {
		about: 'remove everything that Quarterdeck has saved',
		detail:
			'First lists what it will remove, and asks: the hooks in the settings of clients, the program on other machines, the embedded service with its agents, and the folders of data, compiled code and sockets. Stops at the first that fails, and does nothing while a screen is open. Three things stay: the program itself, the data of sessions on other machines, and the branches of worktrees in their repositories. It prints the commands that delete those branches.',
		flags: [
			{name: 'config', about: 'also the configuration, with saved API keys and prompts of your own'},
			yes,
		],
	}),
	command('completion', async () => (await import('./completion.ts')).completion, {
		args: ['SHELL', '[WORD...]'],
		choices: ['bash', 'zsh', 'fish'],
		about: 'print a completion script for bash, zsh or fish',
		detail: 'With words, prints what may follow them. The script asks for that.',
	}),
	command('help', async () => (await import('../help/show-help.ts')).showHelp, {
		args: ['[TOPIC...]'],
		about: 'explain a topic, or show the help of a command',
		examples: ['help hooks', 'help sessions wait'],
	}),
];
