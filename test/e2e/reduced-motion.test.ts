import type {AddressInfo} from 'node:net';
import {createServer} from 'node:net';
import {expect, onTestFinished, test} from 'vitest';
import {runJson} from '../support/agent-says.ts';
import {emptyHome, openProgram} from '../support/program.ts';

const size = {columns: 120, rows: 34};

/** A place to clone from that takes the call and never answers: the step runs for as long as the test. */
async function silentHost(): Promise<string> {
	const server = createServer();
	const sockets = new Set<{destroy(): void}>();
	server.on('connection', socket => sockets.add(socket.on('error', () => {})));
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop.git`;
}

const framesIn = (output: string) => output.split('\u001B[?2026h').length - 1;

test('with --reduced-motion, a running step moves nothing while the seconds pass elsewhere', async () => {
	const env = emptyHome();
	const repo = await silentHost();
	runJson(env, 'computers', 'create', '--name', 'box', '--remote-user', 'me', '--repo', repo);
	const still = openProgram(['--local', '--reduced-motion', '--view', 'computers'], env, size);
	await still.see(/● running +\d+s|clone.*running +\d+s/);
	const moving = openProgram(['--local', '--view', 'computers'], env, size);
	const seconds = () => Number(/clone.*running +(\d+)s/.exec(moving.screen())?.[1] ?? Number.NaN);
	await moving.see(/clone.*running +\d+s/);
	await moving.see(/clone.*running +(?:[5-9]|\d\d+)s/);
	const from = seconds();
	const before = {still: still.output().length, moving: moving.output().length};
	// Six seconds on the clock of the one beside it.
	const later = Array.from({length: 9}, (_, index) => from + 6 + index).join('|');
	await moving.see(new RegExp(`clone.*running +(?:${later})s`));
	expect(framesIn(moving.output().slice(before.moving))).toBeGreaterThanOrEqual(4);
	// Once in a quarter of a minute what stands there is made true.
	expect(framesIn(still.output().slice(before.still))).toBeLessThanOrEqual(1);
	for (const terminal of [moving, still]) {
		terminal.press('q');
		await terminal.see('Code 0');
		await terminal.exit();
	}
}, 90_000);
