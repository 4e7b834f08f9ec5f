import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {describe, test} from 'vitest';
import {onlyAccountFile} from '../support/account-files.ts';
import {startFaultServer} from '../support/fault-server.ts';
import {emptyHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';

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
