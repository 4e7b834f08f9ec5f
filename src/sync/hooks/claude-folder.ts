import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';

/** The folder in which Claude Code keeps what belongs to the user. */
export function claudeFolder(): string {
	const named = process.env.CLAUDE_CONFIG_DIR;
	return named && isAbsolute(named) ? named : join(homedir(), '.claude');
}

/** Where Claude Code writes a session's conversation, if it was started in `cwd`. `folder` is the client's own. */
export function claudeTranscript(
	folder: string,
	{cwd, sessionId}: {readonly cwd: string; readonly sessionId: string},
): string {
	return join(folder, 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'), `${sessionId}.jsonl`);
}
