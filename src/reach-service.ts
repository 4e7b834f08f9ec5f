import {spawn} from 'node:child_process';
import {closeSync, constants, existsSync, openSync, readFileSync, renameSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {LostResponseError, UnreachableError} from './api/errors.ts';
import {createHttpService} from './api/http/http-client.ts';
import type {Config, ServiceAddress} from './config/config.ts';
import {localProfile} from './domain/accounts/profile.ts';
import {isOlderVersion, type RunningService} from './domain/running-service.ts';
import {localFolder} from './embedded-service.ts';
import {LocalServiceError} from './local/local-error.ts';
import {outlivingLogout} from './local/logout.ts';
import {makePrivateFolder} from './local/private-folder.ts';
import {storedServicePid} from './local/service-files.ts';
import {lockFile, takeLock} from './local/service-lock.ts';
import {socketAddress, socketFile} from './local/socket-address.ts';

type ReachedService = RunningService & {readonly address: ServiceAddress};

/** How long a service may take to start, to say who it is, or to end, ms: on a busy machine, each takes seconds. */
const reachTime = 30_000;
/** How often to look for a service that is starting, ms. */
const lookInterval = 30;
/** Beyond this size, in bytes, the next start renames the log to `service.log.1`. */
const maxLogSize = 1_000_000;

/** What the running service of a folder says about itself, if one runs. Throws `LocalServiceError` if it doesn't answer. */
export async function findService(folder: string, timeout = reachTime): Promise<ReachedService | undefined> {
	if (!existsSync(socketFile(folder))) return undefined;
	const address = socketAddress(folder);
	const service = createHttpService({address, retries: 0});
	const askedAt = performance.now();
	try {
		return {...(await service.runningService.status({timeout})), address};
	} catch (error) {
		// Its process was killed, or ends now. One that was stopped is silent.
		const isCutOff = error instanceof LostResponseError && performance.now() - askedAt < timeout;
		if (isCutOff || error instanceof UnreachableError) return undefined;
		throw noAnswer(folder, error);
	} finally {
		await service.close();
	}
}

/** Finds the service of the state folder, or starts one in a process of its own. Throws `LocalServiceError`. */
export async function reachService(config: Config): Promise<ReachedService> {
	const folder = localFolder(config);
	makePrivateFolder(folder);
	const until = performance.now() + reachTime;
	for (;;) {
		const running = await findService(folder);
		const isOlder = running && isOlderVersion(running.version, __VERSION__);
		if (isOlder) await askToStop(folder, 'idle');
		// It goes on while agents work. Otherwise it ends now, and ours takes its place.
		if (running && (!isOlder || running.isAtWork))
			return {...running, endsWhenIdle: isOlder || running.endsWhenIdle};
		// One program starts it, the others wait.
		const lock = takeLock(join(folder, 'starting.lock'));
		try {
			if (lock && !running) return (await findService(folder)) ?? (await startService(folder, config, until));
		} finally {
			lock?.release();
		}
		if (performance.now() > until) throw noAnswer(folder);
		await delay(lookInterval);
	}
}

/** Stops the service of a folder and its agents. Resolves when its process has ended. Throws `LocalServiceError`. */
export async function stopService(folder: string): Promise<void> {
	await askToStop(folder, 'now');
	for (const until = performance.now() + reachTime; performance.now() < until; await delay(lookInterval)) {
		const lock = takeLock(lockFile(folder));
		lock?.release();
		if (lock) return;
	}
	throw noAnswer(folder);
}

async function askToStop(folder: string, when: 'now' | 'idle'): Promise<void> {
	const service = createHttpService({address: socketAddress(folder), retries: 0});
	try {
		await service.runningService.stop(when, {timeout: reachTime});
	} finally {
		await service.close();
	}
}

async function startService(
	folder: string,
	{profile, serviceIdle}: Config,
	until: number,
): Promise<ReachedService> {
	const log = openLog(folder);
	const named = profile === localProfile ? [] : ['--profile', profile];
	const serve = ['serve', '--idle', `${serviceIdle}`, ...named];
	const [program = '', ...args] = await outlivingLogout([process.execPath, process.argv[1] ?? '', ...serve]);
	const child = spawn(program, args, {
		detached: true,
		stdio: ['ignore', log.descriptor, log.descriptor],
	});
	closeSync(log.descriptor);
	child.unref();
	let failure: string | undefined;
	child.once('error', ({message}) => (failure = message));
	const onExit = () => (failure ??= log.lastError());
	child.once('exit', onExit);
	while (performance.now() < until) {
		const started = await findService(folder);
		if (started) {
			// Its log may be gone once it ends.
			child.off('exit', onExit);
			return started;
		}
		if (failure !== undefined) throw new LocalServiceError(failure);
		await delay(lookInterval);
	}
	throw noAnswer(folder);
}

/** Opens the log of a service that starts, and reads why it didn't. */
function openLog(folder: string) {
	const file = join(folder, 'service.log');
	const size = statSync(file, {throwIfNoEntry: false})?.size ?? 0;
	const isFull = size > maxLogSize;
	if (isFull) renameSync(file, `${file}.1`);
	const {O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY} = constants;
	return {
		descriptor: openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600),
		lastError(): string {
			const written = readFileSync(file).subarray(isFull ? 0 : size);
			const errors = written.toString().matchAll(/^quarterdeck: (.*)$/gm);
			return [...errors].at(-1)?.[1] ?? `the embedded service didn't start: see ${file}`;
		},
	};
}

function noAnswer(folder: string, cause?: unknown): Error {
	const pid = storedServicePid(folder);
	const which = pid === undefined ? '' : ` (process ${pid})`;
	return new LocalServiceError(
		`the embedded service${which} doesn't answer: continue or end that process, or see ${join(folder, 'service.log')}`,
		{cause},
	);
}
