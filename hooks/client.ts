import type {HookData} from './wire.ts';

/** Tells the client from the folder it keeps its transcripts in. */
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
 * The client an event came from when its command line doesn't say, or an empty string. The payload is asked first:
 * a client started inside another inherits that one's environment.
 */
export function guessClient(data: HookData, env: NodeJS.ProcessEnv): string {
	const path = data.transcript_path ?? '';
	for (const [client, folder] of folders) if (folder.test(path)) return client;
	for (const [client, name] of variables) if (env[name]) return client;
	return '';
}
