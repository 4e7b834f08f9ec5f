import {execFile} from 'node:child_process';
import {accessSync, constants, existsSync, statSync} from 'node:fs';
import {delimiter, isAbsolute, join} from 'node:path';
import {ifPossible} from '../../domain/if-possible.ts';
import {knownAgents} from './agents.ts';

/** An agent that this machine could run. `path` is its program; absent if it isn't installed. */
export type InstalledAgent = {readonly name: string; readonly path?: string};

type Environment = Readonly<Record<string, string | undefined>>;

/** The agents by name, each with its program as PATH finds it. Runs nothing. */
export function findAgents(environment: Environment): InstalledAgent[] {
	return knownAgents.map(({name, tool}) => {
		const path = findProgram(tool, environment);
		return {name, path};
	});
}

export function findProgram(name: string, {PATH = ''}: Environment): string | undefined {
	return PATH.split(delimiter)
		.filter(isAbsolute)
		.map(folder => join(folder, name))
		.find(isProgram);
}

function isProgram(file: string): boolean {
	const isRunnable = ifPossible(() => {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	});
	return isRunnable ?? false;
}

/** How long a client may take to print its version, ms. */
const versionLimit = 10_000;

/** The version that the program prints, as ssh does on stderr; undefined if it fails. */
export function readVersion(path: string, argument = '--version'): Promise<string | undefined> {
	return new Promise(resolve => {
		execFile(path, [argument], {timeout: versionLimit, maxBuffer: 64 * 1024}, (error, stdout, stderr) =>
			resolve(error ? undefined : /\d+\.\d[\w.-]*/.exec(stdout || stderr)?.[0]),
		).stdin?.end();
	});
}

/** Where a client keeps its login: variables that replace it, and files below the home folder. */
const logins: Readonly<
	Record<string, {readonly variables: readonly string[]; readonly files: readonly string[]}>
> = {
	claude: {
		variables: [
			'ANTHROPIC_API_KEY',
			'ANTHROPIC_AUTH_TOKEN',
			'CLAUDE_CODE_OAUTH_TOKEN',
			'CLAUDE_CODE_USE_BEDROCK',
			'CLAUDE_CODE_USE_VERTEX',
		],
		files: ['.claude/.credentials.json'],
	},
	codex: {variables: ['OPENAI_API_KEY', 'CODEX_API_KEY'], files: ['.codex/auth.json']},
	gemini: {
		variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI'],
		files: ['.gemini/oauth_creds.json'],
	},
};

/**
 * Whether a login of the agent is on this machine; undefined if that can't be known: others keep it elsewhere, and so
 * does macOS. Reads no secret and asks no service.
 */
export function hasLogin(name: string, env: Environment, platform = process.platform): boolean | undefined {
	const login = logins[name];
	if (!login) return undefined;
	const isFound =
		login.variables.some(variable => env[variable]) ||
		login.files.some(file => existsSync(join(env.HOME ?? '/', file)));
	return isFound || (platform === 'linux' ? false : undefined);
}
