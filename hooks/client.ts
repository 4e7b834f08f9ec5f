import type {HookData} from './wire.ts';

/** Identifies the client by the folder it keeps its transcripts in. */
const folders: readonly (readonly [client: string, folder: RegExp])[] = [
	['claude', /[/\\]\.claude[/\\]/],
	['droid', /[/\\]\.factory[/\\]/],
	['qwen', /[/\\]\.qwen[/\\]/],
	['gemini', /[/\\]\.gemini[/\\]/],
	['codex', /[/\\]\.codex[/\\]/],
];

/** Variables that clients set for their hooks. */
const variables: readonly (readonly [client: string, name: string])[] = [
	['droid', 'FACTORY_PROJECT_DIR'],
	['qwen', 'QWEN_PROJECT_DIR'],
	['gemini', 'GEMINI_PROJECT_DIR'],
	['claude', 'CLAUDE_PROJECT_DIR'],
	['claude', 'CLAUDECODE'],
];

/**
 * Guesses the client of an event when the command line doesn't name it; returns an empty string if unknown.
 * The payload comes before the environment: a client started inside another inherits the outer one's
 * variables.
 */
export function guessClient(data: HookData, env: NodeJS.ProcessEnv): string {
	const path = data.transcript_path ?? '';
	for (const [client, folder] of folders) if (folder.test(path)) return client;
	for (const [client, name] of variables) if (env[name]) return client;
	return '';
}
