import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';

/** The folder of Claude Code's files for this user. */
export function claudeFolder(): string {
	const named = process.env.CLAUDE_CONFIG_DIR;
	return named && isAbsolute(named) ? named : join(homedir(), '.claude');
}

/** Path of a session's transcript in the client's `folder`, if the session was started in `cwd`. */
export function claudeTranscript(
	folder: string,
	{cwd, sessionId}: {readonly cwd: string; readonly sessionId: string},
): string {
	return join(folder, 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'), `${sessionId}.jsonl`);
}
