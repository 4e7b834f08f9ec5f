import {existsSync} from 'node:fs';
import {basename, dirname, isAbsolute, join} from 'node:path';

/** The clients whose settings can hold hooks. */
export const clientNames = ['claude', 'droid', 'qwen', 'gemini', 'codex'] as const;
export type ClientName = (typeof clientNames)[number];

/** Whose settings: the user's in every project, a project's shared ones, or the user's own in one project. */
export const scopes = ['user', 'project', 'local'] as const;
export type Scope = (typeof scopes)[number];

/** A setting that disables all hooks: its key path, and the value that disables them. */
export type OffSwitch = {readonly keys: readonly string[]; readonly value: boolean};

export type Client = {
	readonly name: ClientName;
	readonly title: string;
	/** Folder of its settings, under the home folder and under a project. */
	readonly folder: string;
	/** Environment variable that overrides the user's settings folder. */
	readonly folderVariable?: string;
	/** Files that can hold hooks, by scope. The first existing one is used; if none exists, the last is created. */
	readonly files: {readonly [scope in Scope]?: readonly string[]};
	/** Name of a file whose root may itself be the event map. */
	readonly bareFile?: string;
	/** Absolute paths of administrator-managed files, by platform. */
	readonly managedFiles?: {readonly [platform in NodeJS.Platform]?: string};
	readonly timeoutUnit: 's' | 'ms';
	readonly skipsComments?: boolean;
	/** The client runs a command only once, even if several files register it. */
	readonly runsSameOnce?: boolean;
	/** Longest timeouts the client accepts, in seconds. */
	readonly maxTimeouts?: {readonly [event: string]: number};
	/**
	 * Events to register. Excludes events that ask for a decision, and events only newer releases know: an
	 * older release may reject the whole file for an unknown name.
	 */
	readonly events: readonly string[];
	/** The event whose hook may answer a permission prompt; registered only when the user asks for that. */
	readonly answerEvent?: string;
	readonly offSwitches: readonly OffSwitch[];
	/** Off switches that count only in an administrator's file. */
	readonly managedSwitches?: readonly OffSwitch[];
	/** Off switches in a TOML file: keys of one section that disable hooks when `false`. */
	readonly tomlSwitches?: {
		readonly file: string;
		readonly section: string;
		readonly keys: readonly string[];
	};
	/** What can't be determined from any file. */
	readonly unknown: readonly string[];
	/** What the user must do after the hooks change. */
	readonly afterChange?: string;
};

/** The process state that determines whose settings are used. `home` and `cwd` are absolute. */
export type Machine = {
	readonly home: string;
	readonly cwd: string;
	readonly env: {readonly [name: string]: string | undefined};
};

/** One file that can hold a client's hooks. */
export type SettingsFile = {
	readonly client: Client;
	/** Undefined for a file given by path. */
	readonly scope: Scope | undefined;
	readonly path: string;
	/** Whether the client ignores this file's hooks because another file exists: droid prefers `hooks.json`. */
	readonly isShadowed: boolean;
	/** Whether its root may itself be the event map. */
	readonly isBare: boolean;
};

const commonEvents = [
	'Notification',
	'Stop',
	'SubagentStop',
	'SessionEnd',
	'SessionStart',
	'UserPromptSubmit',
];

export const clients: readonly Client[] = [
	{
		name: 'claude',
		title: 'Claude Code',
		folder: '.claude',
		folderVariable: 'CLAUDE_CONFIG_DIR',
		files: {user: ['settings.json'], project: ['settings.json'], local: ['settings.local.json']},
		managedFiles: {
			linux: '/etc/claude-code/managed-settings.json',
			darwin: '/Library/Application Support/ClaudeCode/managed-settings.json',
		},
		timeoutUnit: 's',
		skipsComments: true,
		runsSameOnce: true,
		events: commonEvents,
		answerEvent: 'PermissionRequest',
		offSwitches: [{keys: ['disableAllHooks'], value: true}],
		managedSwitches: [{keys: ['allowManagedHooksOnly'], value: true}],
		unknown: [
			'whether the folder is trusted',
			"hooks of plugins, of the command line and of an administrator's server",
		],
	},
	{
		name: 'droid',
		title: 'Factory droid',
		folder: '.factory',
		files: {
			user: ['hooks.json', 'settings.json'],
			project: ['hooks.json', 'settings.json'],
			local: ['settings.local.json'],
		},
		bareFile: 'hooks.json',
		timeoutUnit: 's',
		events: commonEvents,
		offSwitches: [{keys: ['hooksDisabled'], value: true}],
		unknown: ['whether a running session uses it: droid reads its hooks once, when it starts'],
		afterChange: 'running sessions keep their old hooks: restart them',
	},
	{
		name: 'qwen',
		title: 'Qwen Code',
		folder: '.qwen',
		files: {user: ['settings.json'], project: ['settings.json']},
		managedFiles: {
			linux: '/etc/qwen-code/settings.json',
			darwin: '/Library/Application Support/QwenCode/settings.json',
		},
		timeoutUnit: 'ms',
		events: commonEvents,
		offSwitches: [
			{keys: ['disableAllHooks'], value: true},
			{keys: ['hooksConfig', 'enabled'], value: false},
		],
		unknown: ['whether the folder is trusted'],
	},
	{
		name: 'gemini',
		title: 'Gemini CLI',
		folder: '.gemini',
		files: {user: ['settings.json'], project: ['settings.json']},
		managedFiles: {
			linux: '/etc/gemini-cli/settings.json',
			darwin: '/Library/Application Support/GeminiCli/settings.json',
		},
		timeoutUnit: 'ms',
		events: ['Notification', 'AfterAgent', 'SessionEnd', 'SessionStart', 'BeforeAgent'],
		offSwitches: [
			{keys: ['hooksConfig', 'enabled'], value: false},
			{keys: ['hooks', 'enabled'], value: false},
			{keys: ['tools', 'enableHooks'], value: false},
		],
		unknown: ['whether the folder and its hooks are trusted'],
	},
	{
		name: 'codex',
		title: 'Codex',
		folder: '.codex',
		folderVariable: 'CODEX_HOME',
		files: {user: ['hooks.json'], project: ['hooks.json']},
		timeoutUnit: 's',
		skipsComments: true,
		maxTimeouts: {SessionEnd: 3},
		events: ['Stop', 'SubagentStop', 'SessionEnd', 'SessionStart', 'UserPromptSubmit', 'Interrupt'],
		offSwitches: [],
		tomlSwitches: {file: 'config.toml', section: 'features', keys: ['hooks', 'codex_hooks']},
		unknown: [
			'whether it is trusted: Codex asks again whenever the command changes',
			'permission prompts: only PermissionRequest reports them, and it is not registered for Codex',
		],
		afterChange: 'confirm that you trust the changed hooks when it asks',
	},
];

export function findClient(name: string): Client | undefined {
	return clients.find(client => client.name === name);
}

/**
 * Hook timeout in seconds. The hook exits by itself after one second; at session end, a timeout of its own
 * extends a shared one.
 */
const defaultTimeout = 5;

/** The timeout to register for an event, in the client's unit. */
export function timeoutOf(client: Client, event: string): number {
	return secondsIn(client, Math.min(defaultTimeout, client.maxTimeouts?.[event] ?? defaultTimeout));
}

export function secondsIn({timeoutUnit}: Client, seconds: number): number {
	return timeoutUnit === 's' ? seconds : seconds * 1000;
}

export function settingsFolder(client: Client, scope: Scope, {home, cwd, env}: Machine): string {
	if (scope !== 'user') return join(cwd, client.folder);
	const named = client.folderVariable ? env[client.folderVariable] : undefined;
	return named && isAbsolute(named) ? named : join(home, client.folder);
}

/** Whether this user has ever started the client. */
export function isFound(client: Client, machine: Machine): boolean {
	return existsSync(settingsFolder(client, 'user', machine));
}

/** The files of one scope, exactly one of them not shadowed; empty if the client doesn't have the scope. */
export function settingsFiles(client: Client, scope: Scope, machine: Machine): SettingsFile[] {
	const folder = settingsFolder(client, scope, machine);
	const names = client.files[scope] ?? [];
	const active = names.find(name => existsSync(join(folder, name))) ?? names.at(-1);
	return names.map(name => ({
		client,
		scope,
		path: join(folder, name),
		isShadowed: name !== active,
		isBare: name === client.bareFile,
	}));
}

/** The files of every scope. If the project is the home folder, lists the user's files only once. */
export function allSettingsFiles(client: Client, machine: Machine): SettingsFile[] {
	const files = scopes.flatMap(scope => settingsFiles(client, scope, machine));
	return files.filter((file, index) => files.findIndex(({path}) => path === file.path) === index);
}

/** A settings file given by path. Without `client`, the file's folder determines it. */
export function namedSettingsFile(path: string, client?: Client): SettingsFile | undefined {
	const known = client ?? clients.find(({folder}) => folder === basename(dirname(path)));
	if (!known) return undefined;
	const isBare = basename(path) === known.bareFile;
	const isShadowed =
		!isBare && known.bareFile !== undefined && existsSync(join(dirname(path), known.bareFile));
	return {client: known, scope: undefined, path, isShadowed, isBare};
}
