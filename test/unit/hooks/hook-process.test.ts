import {expect, test} from 'vitest';
import {guessClient} from '../../../hooks/hook-process.ts';

test.each([
	['/home/u/.claude/projects/x/1.jsonl', {}, 'claude'],
	['/home/u/.factory/sessions/1.jsonl', {}, 'droid'],
	['/home/u/.qwen/tmp/1.json', {}, 'qwen'],
	['/home/u/.gemini/tmp/1.json', {}, 'gemini'],
	['C:\\Users\\u\\.codex\\sessions\\1.jsonl', {}, 'codex'],
	[undefined, {CLAUDE_PROJECT_DIR: '/w'}, 'claude'],
	[undefined, {FACTORY_PROJECT_DIR: '/w'}, 'droid'],
	// A client started inside another inherits that one's environment: the payload is the true one.
	['/home/u/.factory/sessions/1.jsonl', {CLAUDECODE: '1'}, 'droid'],
	[undefined, {}, ''],
])('%s and %o: %s', (path, env, client) => {
	expect(guessClient(path ? {transcript_path: path} : {}, env)).toBe(client);
});
