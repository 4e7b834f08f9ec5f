/** The agents' clients that hooks can be installed in. */
export const clientNames = ['claude', 'droid', 'qwen', 'gemini', 'codex'] as const;
export type ClientName = (typeof clientNames)[number];

/** Whose settings: the user's everywhere, those shared by a project, or the user's own in a project. */
export const scopes = ['user', 'project', 'local'] as const;
export type Scope = (typeof scopes)[number];

/** A setting that keeps every hook from running: a path of keys and the value that turns them off. */
export type OffSwitch = {readonly keys: readonly string[]; readonly value: boolean};

export type Client = {
	readonly name: ClientName;
	readonly title: string;
	/** Folder of its settings, in the home folder and in a project. */
	readonly folder: string;
	/** Variable that names the user's folder instead. */
	readonly folderVariable?: string;
	/** Files that can hold hooks, by scope. Of several the first that exists counts, and the last is made. */
	readonly files: {readonly [scope in Scope]?: readonly string[]};
	/** A file whose root may itself be the map of events. */
	readonly bareFile?: string;
	/** Files of an administrator, absolute, by platform. */
	readonly managedFiles?: {readonly [platform in NodeJS.Platform]?: string};
	readonly timeoutUnit: 's' | 'ms';
	/** A command that stands in several files runs once. */
	readonly runsSameOnce?: boolean;
	/** Longest timeouts that the client takes, in seconds. */
	readonly maxTimeouts?: {readonly [event: string]: number};
	/**
	 * Events to register. Never those that ask for a decision, and none that only newer releases know: an older one
	 * may refuse a whole file for a name it doesn't know.
	 */
	readonly events: readonly string[];
	readonly offSwitches: readonly OffSwitch[];
	/** The same in an administrator's file only. */
	readonly managedSwitches?: readonly OffSwitch[];
	/** The same as TOML: keys of one section that turn hooks off when they are `false`. */
	readonly tomlSwitches?: {
		readonly file: string;
		readonly section: string;
		readonly keys: readonly string[];
	};
	/** What no file tells. */
	readonly unknown: readonly string[];
	/** What the user has to do once the hooks have changed. */
	readonly afterChange?: string;
};

const usual = ['Notification', 'Stop', 'SubagentStop', 'SessionEnd', 'SessionStart', 'UserPromptSubmit'];

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
		runsSameOnce: true,
		events: usual,
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
		events: usual,
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
		events: usual,
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
		maxTimeouts: {SessionEnd: 3},
		events: ['Stop', 'SubagentStop', 'SessionEnd', 'SessionStart', 'UserPromptSubmit', 'Interrupt'],
		offSwitches: [],
		tomlSwitches: {file: 'config.toml', section: 'features', keys: ['hooks', 'codex_hooks']},
		unknown: [
			'whether it is trusted: Codex asks again whenever the command changes',
			'permission prompts: only PermissionRequest reports them, and it is never registered',
		],
		afterChange: 'it asks whether to trust the changed hooks: say yes there',
	},
];

/** The client of a name, or undefined. */
export function findClient(name: string): Client | undefined {
	return clients.find(client => client.name === name);
}

/** Seconds a client lets the hook run. It ends by itself after one; at a session's end an own timeout lengthens a shared one. */
const defaultTimeout = 5;

/** The timeout to register for an event, in the client's own unit. */
export function timeoutOf({timeoutUnit, maxTimeouts}: Client, event: string): number {
	const seconds = Math.min(defaultTimeout, maxTimeouts?.[event] ?? defaultTimeout);
	return timeoutUnit === 's' ? seconds : seconds * 1000;
}
