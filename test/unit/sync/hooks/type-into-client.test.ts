import {spawnSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {systemClock} from '../../../../src/domain/clock.ts';
import type {Signal} from '../../../../src/domain/sessions/signal.ts';
import {isSeen, transcriptEnd, typeIntoClient} from '../../../../src/sync/hooks/type-into-client.ts';
import {eventually} from '../../../support/eventually.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
const script = join(import.meta.dirname, '../../../support/prompt-client.ts');

/** A stand-in client in a pane of a tmux server of the test's own, begun in this shell if one is given. */
async function client(shell?: string) {
	const home = realpathSync(temporaryFolder());
	const work = join(home, 'work');
	mkdirSync(work);
	vi.stubEnv('CLAUDE_CONFIG_DIR', home);
	vi.stubEnv('TMUX_TMPDIR', home);
	vi.stubEnv('TMUX', undefined);
	const tmux = (...args: string[]) => spawnSync('tmux', args, {cwd: work, encoding: 'utf8'}).stdout;
	onTestFinished(() => {
		tmux('kill-server');
		vi.unstubAllEnvs();
	});
	const run = `'${process.execPath}' '${script}' s`;
	tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'client', '-x', '200', '-y', '20', shell ?? run);
	if (shell !== undefined) tmux('send-keys', '-t', 'client', run, 'Enter');
	await eventually(() => expect(tmux('capture-pane', '-p', '-t', 'client')).toContain('THE PROMPT'));
	const signal: Signal = {
		...{client: 'claude', sessionId: 's', state: 'idle', lastEvent: 'Stop'},
		...{since: 0, lastEventAt: Date.now(), background: 0},
	};
	const path = join(home, 'projects', work.replace(/[^a-zA-Z0-9]/g, '-'), 's.jsonl');
	const messages = () =>
		readFileSync(path, 'utf8')
			.trim()
			.split('\n')
			.map(line => JSON.parse(line).message.content);
	const pid = () => Number.parseInt(readdirSync(join(home, 'sessions'))[0] ?? '', 10);
	const setStatus = (status: string) => {
		const file = join(home, 'sessions', `${pid()}.json`);
		writeFileSync(file, JSON.stringify({...JSON.parse(readFileSync(file, 'utf8')), status}));
	};
	return {
		tmux,
		path,
		messages,
		pid,
		setStatus,
		type: (words: string) => typeIntoClient(signal, words, systemClock),
	};
}

test.skipIf(!hasTmux)('types a message as one paste and Enter, whatever its characters', async () => {
	const {type, messages, path, tmux} = await client();
	expect(await type('first')).toBeUndefined();
	await eventually(() => expect(messages()).toEqual(['first']));
	const start = transcriptEnd(path);
	const hostile = '-t x; C-c\n\tEnter "$(touch x)" ü 漢\x1b[201~\r\nkill-server\x03\x04\x00';
	expect(await type(hostile)).toBeUndefined();
	expect(await isSeen(path, start, hostile, systemClock)).toBe(true);
	expect(messages().slice(1)).toEqual(['-t x; C-c\n\tEnter "$(touch x)" ü 漢[201~\nkill-server']);
	expect(tmux('list-buffers')).toBe('');
});

test.skipIf(!hasTmux)(
	'types nothing into a client at work or that asks, or into a pane in copy mode',
	async () => {
		const {type, path, tmux, setStatus} = await client();
		for (const [status, reason] of [
			['busy', 'at-work'],
			['waiting', 'asks'],
			['shell', 'at-work'],
		] as const) {
			setStatus(status);
			expect(await type('words')).toBe(reason);
		}
		setStatus('idle');
		tmux('copy-mode', '-t', 'client');
		expect(await type('words')).toBe('in-copy-mode');
		expect(transcriptEnd(path)).toBe(0);
	},
);

test.skipIf(!hasTmux)(
	'types nothing while the shell has the terminal of the client, as after Ctrl+Z',
	async () => {
		const {type, tmux, pid} = await client('bash --norc -i');
		process.kill(pid(), 'SIGSTOP');
		await eventually(() => expect(tmux('capture-pane', '-p', '-t', 'client')).toContain('Stopped'));
		expect(await type('touch typed')).toBe('in-background');
		expect(tmux('capture-pane', '-p', '-t', 'client')).not.toContain('touch typed');
	},
);

test.skipIf(!hasTmux)('a client that has ended is not typed to, though its pane has a shell', async () => {
	const {type, tmux, pid} = await client('bash --norc -i');
	process.kill(pid(), 'SIGKILL');
	await eventually(() => expect(tmux('capture-pane', '-p', '-t', 'client')).toContain('Killed'));
	expect(await type('touch typed')).toBe('not-running');
	expect(tmux('capture-pane', '-p', '-t', 'client')).not.toContain('touch typed');
});
