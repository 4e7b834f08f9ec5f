import {spawnSync} from 'node:child_process';
import {appendFileSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {jsonLines} from '../support/cli.ts';
import {commandsAt} from '../support/commands.ts';
import {builtHook, emptyHome, openProgram} from '../support/program.ts';
import {agentLine, toolLines, userLine} from '../support/transcripts.ts';

const sessionId = '11111111-2222-4333-8444-555555555555';

const asks = {notification_type: 'permission_prompt', message: 'May I edit?'};

/** A home in which Claude Code has written a transcript. */
function homeWith(write: (path: string) => void) {
	const env = emptyHome();
	const folder = join(env.HOME as string, '.claude/projects/-work-shop');
	mkdirSync(folder, {recursive: true});
	const path = join(folder, `${sessionId}.jsonl`);
	write(path);
	const fire = (event: string, more: object = {}) => {
		const {status} = spawnSync('node', [builtHook, '--client', 'claude'], {
			env,
			input: JSON.stringify({
				...{session_id: sessionId, hook_event_name: event, cwd: '/work/shop', transcript_path: path},
				...more,
			}),
			timeout: 30_000,
		});
		expect(status).toBe(0);
	};
	return {env, path, fire};
}

describe('a session in another terminal', () => {
	test('is read while it goes on, and searched, but never written to', async () => {
		const {env, path, fire} = homeWith(file =>
			writeFileSync(
				file,
				Array.from({length: 400}, (_, nth) => userLine(`question ${nth}`) + agentLine(`answer ${nth}`)).join(
					'',
				) + toolLines('t', 'Edit', {file_path: 'a.ts', old_string: 'one', new_string: 'two'}, 'ok'),
			),
		);
		const before = readFileSync(path, 'utf8');
		const terminal = openProgram(['--local'], env, {columns: 120, rows: 40});
		await terminal.see(/vm +active/);
		fire('Notification', asks);
		await terminal.see(/1 needs you/);
		terminal.press(']');
		await terminal.see(/! May I edit\?/);
		fire('Stop');
		await terminal.see(/✓ Edit a\.ts +\+1 +-1/);
		await terminal.see(/read from .*\.jsonl/);

		appendFileSync(path, agentLine('just now'));
		await terminal.see(/just now/);
		appendFileSync(path, 'half a li');
		appendFileSync(path, `ne\n${agentLine('after it')}`);
		await terminal.see(/after it/);
		await terminal.see(/1 line can't be read/);

		terminal.press('g');
		await terminal.see(/question 0 /);
		terminal.press('/');
		await terminal.see('matches word beginnings');
		terminal.type('399');
		await terminal.see(/\/ 399 +message 1 of 2/);
		await terminal.see(/answer 399/);
		terminal.press('esc');
		await terminal.gone('/ 399');
		terminal.press('space');
		await terminal.see('Write to the agent');
		terminal.type('hello');
		terminal.press('enter');
		await terminal.see('Not sent: ');
		terminal.press('esc');
		await terminal.gone('Reply to claude shop');
		terminal.press('q');
		await terminal.see(/Code 0/);
		expect(readFileSync(path, 'utf8').startsWith(before)).toBe(true);

		const cli = commandsAt(env.HOME as string);
		const printed = await cli.run(['--local', 'messages', sessionId, '--all', '--json']);
		expect([printed.code, printed.stderr]).toEqual([1, expect.stringContaining('1 item could not be read')]);
		expect(jsonLines(printed.stdout)).toHaveLength(804);
		const found = await cli.run(['--local', 'search', 'question', '17']);
		expect(found.code).toBe(0);
		expect(found.stdout).toContain('question 17');
		expect((await cli.run(['--local', 'messages', sessionId, '--role', 'tool'])).stdout).toContain('ok');
		const following = cli.start(['--local', 'messages', sessionId, '--follow']);
		await following.until(/after it/);
		appendFileSync(path, agentLine('followed'));
		await following.until(/followed/);
		following.interrupt();
		await following.ended;
	}, 120_000);
});
