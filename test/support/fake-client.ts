import {spawn} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

/**
 * Behaves as an agent's client does: reads its real settings files, finds the handlers that match an event, and runs
 * them all at once by `sh -c` with JSON on standard input, in its own environment and with its own timeouts. Knows
 * nothing of the installer.
 */
export type FakeClient = {
	/** Runs the handlers registered for an event and waits for their end. */
	fire(event: string, more?: Readonly<Record<string, unknown>>): Promise<HandlerEnd[]>;
};

export type HandlerEnd = {
	readonly command: string;
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
	readonly isTimedOut: boolean;
};

export type FakeClientOptions = {
	readonly home: string;
	readonly cwd: string;
	/** What the client itself was started with. */
	readonly env: NodeJS.ProcessEnv;
	/** Gives every handler a minute, whatever its timeout, for a busy machine. */
	readonly isPatient?: boolean;
};

type Handler = {readonly command: string; readonly timeout?: number};
type Settings = {readonly [key: string]: unknown};

type Kind = {
	readonly folder: (options: FakeClientOptions) => string;
	readonly projectFolder: string;
	readonly files: readonly string[];
	readonly msPerUnit: number;
	/** In its own unit. */
	readonly timeout: number;
	readonly hasComments: boolean;
	readonly variables: (options: FakeClientOptions) => Readonly<Record<string, string>>;
	readonly isOff: (settings: Settings) => boolean;
	/** Longest time of one handler, ms, given what its entry says. */
	readonly capped?: (event: string, ms: number, isOwn: boolean) => number;
	readonly knows: readonly string[];
};

const claudeEvents = [
	'Notification',
	'Stop',
	'SubagentStop',
	'SessionEnd',
	'SessionStart',
	'UserPromptSubmit',
];

const kinds: Readonly<Record<string, Kind>> = {
	claude: {
		folder: ({home, env}) => env.CLAUDE_CONFIG_DIR ?? join(home, '.claude'),
		projectFolder: '.claude',
		files: ['settings.json', 'settings.local.json'],
		msPerUnit: 1000,
		timeout: 600,
		hasComments: false,
		variables: ({cwd}) => ({CLAUDE_PROJECT_DIR: cwd, CLAUDECODE: '1'}),
		isOff: settings => settings.disableAllHooks === true,
		capped: (event, ms, isOwn) => (event === 'SessionEnd' && !isOwn ? 1500 : ms),
		knows: claudeEvents,
	},
	droid: {
		folder: ({home}) => join(home, '.factory'),
		projectFolder: '.factory',
		files: ['settings.json'],
		msPerUnit: 1000,
		timeout: 60,
		hasComments: false,
		variables: ({cwd}) => ({FACTORY_PROJECT_DIR: cwd}),
		isOff: settings => settings.hooksDisabled === true,
		knows: claudeEvents,
	},
	qwen: {
		folder: ({home}) => join(home, '.qwen'),
		projectFolder: '.qwen',
		files: ['settings.json'],
		msPerUnit: 1,
		timeout: 60_000,
		hasComments: true,
		variables: ({cwd}) => ({QWEN_PROJECT_DIR: cwd, GEMINI_PROJECT_DIR: cwd}),
		isOff: settings => settings.disableAllHooks === true,
		knows: claudeEvents,
	},
	gemini: {
		folder: ({home}) => join(home, '.gemini'),
		projectFolder: '.gemini',
		files: ['settings.json'],
		msPerUnit: 1,
		timeout: 60_000,
		hasComments: true,
		variables: ({cwd}) => ({GEMINI_PROJECT_DIR: cwd, CLAUDE_PROJECT_DIR: cwd}),
		isOff: ({hooksConfig}) => (hooksConfig as Settings | undefined)?.enabled === false,
		knows: ['Notification', 'AfterAgent', 'BeforeAgent', 'SessionEnd', 'SessionStart'],
	},
	codex: {
		folder: ({home, env}) => env.CODEX_HOME ?? join(home, '.codex'),
		projectFolder: '.codex',
		files: ['hooks.json'],
		msPerUnit: 1000,
		timeout: 600,
		hasComments: false,
		variables: () => ({}),
		isOff: () => false,
		capped: (event, ms) => (event === 'SessionEnd' ? Math.min(ms, 3000) : ms),
		knows: [
			'Stop',
			'SubagentStop',
			'SessionEnd',
			'SessionStart',
			'UserPromptSubmit',
			'Interrupt',
			'PermissionRequest',
		],
	},
};

/** Starts a client: it reads its settings now and sees no later changes. */
export function startFakeClient(name: string, options: FakeClientOptions): FakeClient {
	const kind = kinds[name];
	if (!kind) throw new Error(`there is no client ${name}`);
	const user = kind.folder(options);
	const project = join(options.cwd, kind.projectFolder);
	const maps = [...new Set([user, project])].flatMap(folder => mapsIn(name, kind, folder));
	const sessionId = `${name}-session`;
	return {
		fire(event, more = {}) {
			if (!kind.knows.includes(event)) throw new Error(`${name} fires no ${event}`);
			const payload = {
				session_id: sessionId,
				transcript_path: join(user, 'projects', `${sessionId}.jsonl`),
				cwd: options.cwd,
				hook_event_name: event,
				...more,
			};
			const handlers = maps.flatMap(map => matching(map[event], more));
			// The same command runs once, even if it is registered several times.
			const once = handlers.filter(
				({command}, index) =>
					name !== 'claude' || handlers.findIndex(one => one.command === command) === index,
			);
			return Promise.all(
				once.map(handler => {
					const ms = (handler.timeout ?? kind.timeout) * kind.msPerUnit;
					const own = kind.capped?.(event, ms, handler.timeout !== undefined) ?? ms;
					const limit = options.isPatient ? 60_000 : own;
					const env = {...options.env, ...kind.variables(options)};
					return runHandler(handler.command, limit, {...options, env}, payload);
				}),
			);
		},
	};
}

/** The maps of events in one folder; none when hooks are off there. */
function mapsIn(name: string, kind: Kind, folder: string): Settings[] {
	const bare = name === 'droid' ? readSettings(join(folder, 'hooks.json'), false) : undefined;
	const all = kind.files
		.map(file => readSettings(join(folder, file), kind.hasComments))
		.filter(settings => settings !== undefined);
	if (all.some(kind.isOff)) return [];
	if (bare) return [(bare.hooks ?? bare) as Settings];
	return all.flatMap(({hooks}) => (hooks ? [hooks as Settings] : []));
}

function readSettings(file: string, hasComments: boolean): Settings | undefined {
	if (!existsSync(file)) return undefined;
	const text = readFileSync(file, 'utf8');
	const json = hasComments ? text.replace(/^\s*\/\/.*$/gm, '') : text;
	return JSON.parse(json) as Settings;
}

function matching(
	groups: unknown,
	{notification_type, source, reason}: Readonly<Record<string, unknown>>,
): Handler[] {
	const kind = String(notification_type ?? source ?? reason ?? '');
	return ((groups ?? []) as {matcher?: string; hooks: Handler[]}[]).flatMap(({matcher, hooks}) =>
		!matcher || matcher === '*' || new RegExp(`^(?:${matcher})$`).test(kind) ? hooks : [],
	);
}

function runHandler(
	command: string,
	limit: number,
	{env, cwd}: FakeClientOptions,
	payload: unknown,
): Promise<HandlerEnd> {
	return new Promise((resolve, reject) => {
		const child = spawn('sh', ['-c', command], {env, cwd, stdio: 'pipe'});
		let isTimedOut = false;
		const timer = setTimeout(() => {
			isTimedOut = true;
			child.kill('SIGTERM');
		}, limit);
		const said = {stdout: '', stderr: ''};
		for (const name of ['stdout', 'stderr'] as const)
			child[name].setEncoding('utf8').on('data', (text: string) => {
				said[name] += text;
			});
		child.stdin.on('error', () => {});
		child.stdin.end(JSON.stringify(payload));
		child.on('error', reject);
		child.on('close', code => {
			clearTimeout(timer);
			resolve({command, code, ...said, isTimedOut});
		});
	});
}
