import {once} from 'node:events';
import {chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {createHttpService} from '../../../src/api/http/http-client.ts';
import {readSettings} from '../../../src/config/settings.ts';
import {localFolder} from '../../../src/embedded-service.ts';
import {LocalServiceError} from '../../../src/local/local-error.ts';
import {takeLock} from '../../../src/local/service-lock.ts';
import {socketAddress, socketFile, socketKeyFile} from '../../../src/local/socket-address.ts';
import {findService, reachService} from '../../../src/reach-service.ts';
import {startTestService, temporaryFolder} from '../../support/local-service.ts';

test('a service is found with its process, version and computers, until it is closed', async () => {
	const {local, folder, close} = await startTestService({
		folder: join(temporaryFolder(), 'local'),
		provisionsThisMachine: true,
	});
	expect(await findService(folder)).toMatchObject({
		pid: process.pid,
		version: __VERSION__,
		computerIds: local.computerIds(),
		agentsAtWork: 0,
	});
	await close();
	expect(await findService(folder)).toBeUndefined();
});

test('a service that takes connections and says nothing is told with its log', async () => {
	const folder = join(temporaryFolder(), 'local');
	mkdirSync(folder, {mode: 0o700});
	writeFileSync(socketKeyFile(folder), 'k'.repeat(43), {mode: 0o600});
	const stopped = createServer(() => {}).listen(socketFile(folder));
	onTestFinished(() => void stopped.close());
	await once(stopped, 'listening');
	chmodSync(socketFile(folder), 0o600);
	await expect(findService(folder, 50)).rejects.toThrow(/doesn't answer: .* see .*service\.log$/);
});

test('a service that another program starts is waited for, though a busy machine makes it late', async () => {
	const config = await readSettings({flags: {local: true}, env: {}, home: temporaryFolder()});
	const folder = localFolder(config);
	mkdirSync(folder, {recursive: true, mode: 0o700});
	const starting = takeLock(join(folder, 'starting.lock'));
	onTestFinished(() => starting?.release());
	vi.useFakeTimers({toFake: ['performance']});
	onTestFinished(() => void vi.useRealTimers());
	const reached = reachService(config);
	vi.advanceTimersByTime(15_000);
	await startTestService({folder});
	expect(await reached).toMatchObject({pid: process.pid});
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
];

test.each(replaced)(
	'refuses %s in place of the socket, and sends nothing to it',
	async (_, words, replace) => {
		const {folder, local} = await startTestService({folder: join(temporaryFolder(), 'local')});
		const address = socketAddress(folder);
		replace(local.socket);
		await expect(findService(folder)).rejects.toThrow(LocalServiceError);
		await expect(findService(folder)).rejects.toThrow(words);
		const service = createHttpService({address, retries: 0});
		onTestFinished(() => service.close());
		await expect(service.users.list()).rejects.toThrow(/its socket is gone, or other users can access it/);
	},
);
