import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {onlyAccountFile} from '../support/account-files.ts';
import {runProgram} from '../support/cli.ts';
import {commandsAt} from '../support/commands.ts';
import {startFaultServer} from '../support/fault-server.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {builtCli, emptyHome, environmentIn, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';

const env = {QUARTERDECK_BASE_URL: 'http://127.0.0.1:9', QUARTERDECK_API_KEY: 'key'};

function removeAll(file: string): void {
	for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, {force: true, recursive: true});
}

describe('the screen', () => {
	async function opened(): Promise<{
		terminal: Terminal;
		file: string;
		open(): Terminal;
		done(): Promise<void>;
	}> {
		const server = await startFaultServer();
		const home: NodeJS.ProcessEnv = {
			...emptyHome(),
			QUARTERDECK_API_KEY: 'key',
			QUARTERDECK_BASE_URL: server.url,
			QUARTERDECK_APP_URL: server.url,
		};
		const open = () => openProgram(['--session', 's1'], home, {columns: 200, rows: 40});
		const terminal = open();
		await terminal.see(/q quit/);
		const folder = join(home.XDG_STATE_HOME ?? join(home.HOME ?? '', '.local/state'), 'quarterdeck');
		return {terminal, file: onlyAccountFile(folder), open, done: () => server.close()};
	}

	async function quit(terminal: Terminal): Promise<void> {
		terminal.press('esc');
		await terminal.see(/q quit/);
		terminal.press('q');
		await terminal.see('Code 0');
		await terminal.exit();
	}

	test('says when its file is removed while typing, in diagnostics too, and keeps the text', async () => {
		const {terminal, file, open, done} = await opened();
		terminal.press('enter');
		await terminal.see('Write to the agent');
		terminal.type('typed before');
		await terminal.see('typed before');
		removeAll(file);
		terminal.type(' and after');
		await terminal.see('was removed while Quarterdeck was running');
		await terminal.see(/! data repaired: 8/);
		await quit(terminal);
		const again = open();
		await again.see(/! data repaired: 8/);
		await again.see('typed before and after');
		again.press('8');
		await again.see('A acknowledges this');
		again.press('A');
		await again.gone('data repaired');
		again.press('q');
		await again.see('Code 0');
		await again.exit();
		await done();
	});
});

test('a limit of open files that is too low is reported in one line, whatever fails first', async () => {
	const home = temporaryFolder();
	await commandsAt(home).run(['sessions', 'add', 's'], {env});
	const limited = (limit: number) =>
		runProgram(
			'/bin/sh',
			['-c', `ulimit -n ${limit}; exec "$0" "$@"`, process.execPath, builtCli, 'messages', 's'],
			{env: {...environmentIn(home), ...env}, cwd: home},
		);
	const told: object[] = [];
	for (let limit = 22; limit < 30; limit += 2) {
		const {code, stderr} = await limited(limit);
		if (/open files|open database/.test(stderr)) told.push({code, stderr});
	}
	const line = 'quarterdeck: too many open files: raise `ulimit -n` and start again\n';
	expect(told).not.toEqual([]);
	expect(told).toEqual(told.map(() => ({code: 1, stderr: line})));
});
