import {chmodSync, existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commandsAt} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {environmentIn, openProgram} from '../support/program.ts';

test('a configuration that others can change is not obeyed: the screen, a command and doctor say so', async () => {
	const cli = commandsAt(temporaryFolder());
	const folder = join(cli.home, '.config/quarterdeck');
	mkdirSync(folder, {recursive: true});
	const file = join(folder, 'config.json');
	const ran = join(cli.home, 'ran');
	const profile = {baseUrl: 'http://127.0.0.1:9', keyCommand: `touch ${ran}; echo key`};
	writeFileSync(file, JSON.stringify({profiles: {default: profile}}));
	chmodSync(file, 0o666);
	const refusal = `${file} can be changed by others: run chmod go-w on it`;

	const command = await cli.run(['users']);
	expect(command).toMatchObject({stdout: '', stderr: expect.stringContaining(refusal)});
	expect(command.code).not.toBe(0);
	const doctor = await cli.run(['doctor']);
	expect(doctor).toMatchObject({code: 1, stdout: expect.stringContaining(refusal)});
	const terminal = openProgram([], environmentIn(cli.home), {columns: 200, rows: 30});
	await terminal.see('can be changed by others');
	await terminal.see(/Code [1-9]/);
	await terminal.exit();
	expect(existsSync(ran)).toBe(false);
});
