import {ownProgram} from '../../domain/own-program.ts';
import {counted} from '../cli/strings.ts';

export const strings = {
	summary(problems: number, warnings: number) {
		const found = [
			...(problems > 0 ? [counted(problems, 'problem')] : []),
			...(warnings > 0 ? [counted(warnings, 'warning')] : []),
		];
		return found.length === 0 ? 'Everything works.' : `${found.join(' and ')}: see above.`;
	},
	configuration: {
		unusable: "can't be used",
		noFile: (file: string, profile: string) => `no ${file}, profile ${profile}`,
		file: (file: string, profile: string) => `${file}, profile ${profile}`,
		mistakeAdvice: 'correct it; until then, it has no effect',
		checked: (profile: string) => `this checks ${profile}`,
		nextScreen: (profile: string) => `the next screen opens ${profile}`,
		others: (flags: readonly string[]) => `to check another: ${ownProgram} doctor ${flags.join(' or ')}`,
	},
	service: {
		none: 'none configured',
		noneAdvice: 'set QUARTERDECK_BASE_URL and QUARTERDECK_API_KEY, or use --local',
		wrongProxy: "can't be used",
		noKey: 'not available',
		key: (source: string, fingerprint: string) => `${source}, fingerprint ${fingerprint}`,
		keyFile: (file: string) => `from the file ${file}`,
		keyCommand: 'from the key command',
		keyEnvironment: 'from the environment',
		responds: (ms: number) => `responds in ${ms} ms`,
		respondsForbidden: 'responds; this key may not read everything of the organization',
		/** The Date header counts seconds. */
		clock: (seconds: number) =>
			Math.abs(seconds) < 1
				? "the service's clock is within a second of this machine's"
				: `the service's clock is ${Math.round(Math.abs(seconds))} s ${seconds < 0 ? 'behind' : 'ahead of'} this machine's`,
		logout: 'ends the embedded service and its agents',
		logoutAdvice: 'set KillUserProcesses=no in /etc/systemd/logind.conf, or start a systemd user manager',
		lingerAdvice: (user: string) => `run loginctl enable-linger ${user}, and they go on`,
		clockAdvice: "set this machine's clock, or the ages on the screen will be wrong",
	},
	programs: {
		missing: (name: 'git' | 'ssh') =>
			name === 'git'
				? 'not found: changes, worktrees and clones need it'
				: 'not found: computers that ssh reaches need it',
		missingAdvice: (name: string) => `install ${name} so that it is on PATH`,
		noVersion: (path: string) => `${path} prints no version`,
		noVersionAdvice: (path: string, argument: string) => `run ${path} ${argument}: it may be broken`,
	},
	agents: {
		title: (name: string) => `agent ${name}`,
		missing: 'not installed',
		missingAdvice: (name: string) =>
			`install ${name} so that it is on PATH, or configure another agent: new sessions start with it`,
		found: (version: string, path: string) => `${version}, ${path}`,
		noLogin: (found: string) => `${found}, no login found`,
		noLoginAdvice: (name: string) =>
			`log in with ${name} in a terminal, unless its key comes from elsewhere, such as its own settings`,
	},
	storage: {
		recover: 'open the screen: it recovers what it can into a new file',
		noAccounts: 'none yet',
		accounts: (all: number, ofService: number) => `${all} known, ${ofService} for this service`,
		unknownVersion: 'unknown',
		sqliteAdvice: 'install a newer Node: this sqlite can damage its files',
		notCreated: (file: string) => `${file}: not created yet`,
		database: (file: string, size: string, schema: number) => `${file}: ${size} on disk, schema ${schema}`,
		fault: (found: string, fault: string) => `${found}: ${fault}`,
		newer: 'written by a newer Quarterdeck',
		newerAdvice: 'update Quarterdeck',
		incident: (time: string, what: string) => `${time} ${what}`,
		incidentAdvice: `check what is missing; ${ownProgram} doctor --acknowledge clears this warning`,
	},
	hooks: {
		none: 'none installed',
		installed: (titles: readonly string[]) => `installed in the settings of ${titles.join(', ')}`,
		gone: (title: string, paths: readonly string[]) =>
			`The hooks of ${title} report nothing: ${paths.join(', ')} is gone or can't be run`,
		goneAdvice: `run ${ownProgram} hooks install, or press H on the screen: the hooks get the Node that runs now`,
		skipped: (title: string, path: string) => `${title} skips ${path}, hooks included: it has comments`,
		skippedAdvice: (path: string) => `remove the comments from ${path}`,
		unreadable: (title: string, path: string, problem: string) =>
			`the settings of ${title} can't be read: ${problem.startsWith(path) ? problem : `${path}, ${problem}`}`,
		unreadableAdvice: (title: string) => `correct the file: ${title} may not read it either`,
		noFolder: 'none is usable',
	},
	terminal: {
		noTerm: 'TERM is not set',
		found: (term: string, colors: string, charset: string) => `${term}, colors ${colors}, ${charset}`,
		ascii: 'ASCII only',
		unicode: 'Unicode',
		refused: (reason: string) =>
			`${reason} To check a terminal, run ${ownProgram} doctor in it, without redirection.`,
		clipboardProgram: (program: string) => `by ${program}`,
		clipboard: (isTmux: boolean) =>
			`by the terminal, if it supports that (OSC 52)${isTmux ? '; in tmux, set-clipboard must be on' : ''}`,
	},
	keys: {
		defaults: 'defaults',
		customized: (count: number) => `${count} customized; ${ownProgram} keys shows all`,
		advice: (file: string) => `fix "keys" in ${file}; ${ownProgram} keys shows the active ones`,
	},
};
