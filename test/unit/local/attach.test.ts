import {spawnSync} from 'node:child_process';
import {
	chmodSync,
	existsSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {createServer} from 'node:net';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {createHttpService} from '../../../src/api/http/http-service.ts';
import {announce, findRunning} from '../../../src/local/attach.ts';
import {LocalServiceError} from '../../../src/local/local-error.ts';
import {startTestService, type TestService, temporaryFolder} from '../../support/local-service.ts';
import {temporaryHookFolders} from '../../support/temporary-hook-folders.ts';

/** A service that others find, in a runtime folder of its own. */
async function announced(
	options: Parameters<typeof startTestService>[0] = {},
): Promise<TestService & {readonly runtime: string; withdraw(): void}> {
	const place = temporaryHookFolders();
	vi.stubEnv('XDG_RUNTIME_DIR', place.env.XDG_RUNTIME_DIR);
	onTestFinished(() => void vi.unstubAllEnvs());
	const started = await startTestService(options);
	let withdraw = announce(started.folder, started.local);
	const withdrawOnce = () => {
		withdraw();
		withdraw = () => {};
	};
	onTestFinished(withdrawOnce);
	return {...started, runtime: place.runtime, withdraw: withdrawOnce};
}

test('an announced service is found with its key until the announcement is withdrawn', async () => {
	const {local, folder, withdraw} = await announced({provisionsThisMachine: true});
	const found = findRunning(folder);
	expect(found?.socket).toBe(local.socket);
	expect(found?.address.key.reveal()).toBe(local.key.reveal());
	expect(found?.pid).toBe(process.pid);
	expect(found?.computerIds).toEqual(local.computerIds());
	expect(found?.computerIds).toHaveLength(1);
	withdraw();
	expect(findRunning(folder)).toBeUndefined();
});

test('only its owner can read the announcement', async () => {
	const {folder} = await announced();
	expect(statSync(join(folder, 'service.json')).mode & 0o777).toBe(0o600);
});

/** Announces a service at `/gone` in a process that is then killed. */
function announceAndDie(folder: string): void {
	const program = `
		const {announce} = await import(${JSON.stringify(new URL('../../../src/local/attach.ts', import.meta.url).href)});
		const {createKey} = await import(${JSON.stringify(new URL('../../../src/local/private-files.ts', import.meta.url).href)});
		announce(${JSON.stringify(folder)}, {socket: '/gone', key: createKey(), computerIds: () => [], onMove: () => () => {}});
		process.kill(process.pid, 'SIGKILL');`;
	const {signal} = spawnSync(process.execPath, ['--input-type=module', '-e', program], {timeout: 60_000});
	expect(signal).toBe('SIGKILL');
	expect(readFileSync(join(folder, 'service.json'), 'utf8')).toContain('"/gone"');
}

test('ignores an announcement whose process was killed', () => {
	const folder = temporaryFolder();
	announceAndDie(folder);
	expect(findRunning(folder)).toBeUndefined();
});

test('an earlier service over the folder is found once a later was killed', async () => {
	const {folder, local, withdraw} = await announced();
	announceAndDie(folder);
	expect(findRunning(folder)?.socket).toBe(local.socket);
	withdraw();
	expect(findRunning(folder)).toBeUndefined();
});

test.each(['', 'null', '{"url": "http://127.0.0.1:1"}', '{"socket":"/run/x.service","instance":"x"}'])(
	"ignores what isn't an announcement: %j",
	text => {
		const folder = temporaryFolder();
		writeFileSync(join(folder, 'service.json'), text);
		expect(findRunning(folder)).toBeUndefined();
	},
);

test('of two services over one folder, the later is found, even after the earlier has ended', async () => {
	const first = await startTestService();
	const second = await startTestService({folder: first.folder});
	const withdrawFirst = announce(first.folder, first.local);
	const withdrawSecond = announce(first.folder, second.local);
	withdrawFirst();
	expect(findRunning(first.folder)?.socket).toBe(second.local.socket);
	withdrawSecond();
});

test('of two services over one folder, the earlier is found again once the later has ended', async () => {
	const first = await startTestService();
	const second = await startTestService({folder: first.folder});
	const withdrawFirst = announce(first.folder, first.local);
	const withdrawSecond = announce(first.folder, second.local);
	withdrawSecond();
	expect(findRunning(first.folder)?.socket).toBe(first.local.socket);
	expect(statSync(join(first.folder, 'service.json')).mode & 0o777).toBe(0o600);
	withdrawFirst();
	expect(findRunning(first.folder)).toBeUndefined();
});

/** Three services over one folder, each announced after the one before it. */
async function announcedThree() {
	const first = await startTestService();
	const {folder} = first;
	const services = [first, await startTestService({folder}), await startTestService({folder})];
	const withdraws = services.map(({local}) => announce(folder, local));
	return {folder, sockets: services.map(({local}) => local.socket), withdraws};
}

test.each([
	['the last, then the second', 2, 1, 0],
	['the second, then the last', 1, 2, 0],
	['the last, then the first', 2, 0, 1],
	['the first, then the last', 0, 2, 1],
])('of three services over one folder the one that is left is found: %s', async (_, one, other, left) => {
	const {folder, sockets, withdraws} = await announcedThree();
	withdraws[one]?.();
	withdraws[other]?.();
	expect(findRunning(folder)?.socket).toBe(sockets[left]);
	withdraws[left]?.();
	expect(findRunning(folder)).toBeUndefined();
});

/** Ways in which a socket is no longer to be trusted, and what is said of each. */
const replaced: readonly (readonly [string, RegExp, (socket: string) => void])[] = [
	['a folder that others can enter', /mode 0700/, socket => chmodSync(dirname(socket), 0o755)],
	[
		'a link to a folder',
		/mode 0700/,
		socket => {
			renameSync(dirname(socket), `${dirname(socket)}-real`);
			symlinkSync(`${dirname(socket)}-real`, dirname(socket));
		},
	],
	[
		'a link to a socket',
		/is not a socket/,
		socket => {
			renameSync(socket, `${socket}-real`);
			symlinkSync(`${socket}-real`, socket);
		},
	],
	[
		'a file',
		/is not a socket/,
		socket => {
			rmSync(socket);
			writeFileSync(socket, '');
		},
	],
	['no socket', /is gone/, socket => rmSync(socket)],
];

test.each(replaced)(
	'refuses %s in place of the socket, and sends nothing to it',
	async (_, words, replace) => {
		const {folder, local} = await announced();
		const address = findRunning(folder)?.address;
		if (!address) throw new Error('not found');
		replace(local.socket);
		expect(() => findRunning(folder)).toThrow(LocalServiceError);
		expect(() => findRunning(folder)).toThrow(words);
		const service = createHttpService({address, retries: 0});
		onTestFinished(() => service.close());
		await expect(service.users.list()).rejects.toThrow(/its socket is gone, or other users can access it/);
	},
);

test("an announcement can't send anyone to another kind of socket", async () => {
	const {folder, local} = await announced();
	const other = join(dirname(local.socket), 'agent.sock');
	const listener = createServer().listen(other);
	onTestFinished(() => void listener.close());
	await new Promise(resolve => listener.once('listening', resolve));
	const file = join(folder, 'service.json');
	for (const socket of [other, local.socket.slice(1)]) {
		writeFileSync(file, JSON.stringify({...JSON.parse(readFileSync(file, 'utf8')), socket}));
		expect(() => findRunning(folder)).toThrow(/is not a socket of the embedded service/);
	}
});

test('the socket is where a sandbox hides the key, unless the path is too long', async () => {
	const {folder, local, runtime} = await announced();
	expect(dirname(local.socket)).toBe(folder);
	const long = await startTestService({folder: join(temporaryFolder(), 'x'.repeat(100))});
	expect(dirname(long.local.socket)).toBe(runtime);
});

test('a service whose socket was removed is found at another', async () => {
	const {folder, local} = await announced();
	const before = local.socket;
	rmSync(before);
	await expect.poll(() => local.socket).not.toBe(before);
	await expect.poll(() => findRunning(folder)?.socket).toBe(local.socket);
	const service = createHttpService({address: findRunning(folder)?.address ?? expect.fail()});
	onTestFinished(() => service.close());
	expect((await service.users.list()).items).toHaveLength(1);
});

test('the next service removes the sockets of dead ones', async () => {
	const {folder, local} = await announced();
	const child = spawnSync(
		process.execPath,
		[
			'-e',
			`require('node:net').createServer().listen('${folder}/a-' + process.pid + '-ffff.service', () => process.kill(process.pid, 'SIGKILL'))`,
		],
		{timeout: 60_000},
	);
	const dead = `${folder}/a-${child.pid}-ffff.service`;
	expect(existsSync(dead)).toBe(true);
	await startTestService({folder});
	await expect.poll(() => existsSync(dead)).toBe(false);
	expect(existsSync(local.socket)).toBe(true);
});
