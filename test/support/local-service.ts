import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, onTestFinished} from 'vitest';
import {createHttpService} from '../../src/api/http/http-client.ts';
import type {Service} from '../../src/api/service.ts';
import type {LocalOptions} from '../../src/local/context.ts';
import {socketAddress} from '../../src/local/socket-address.ts';
import {type LocalService, startLocalService} from '../../src/local/start-local-service.ts';

/** A folder of the test's own; it is gone when the test is over. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'test-'));
	onTestFinished(() => rmSync(folder, {recursive: true, force: true, maxRetries: 5}));
	return folder;
}

export type TestService = {
	readonly local: LocalService;
	readonly service: Service;
	readonly folder: string;
	close(): Promise<void>;
};

/** How clients that aren't ours reach a service that was started with a port. */
export function portOf(local: LocalService): {readonly url: string; readonly key: string} {
	if (!local.port) throw new Error('the service was started without a port');
	return {url: local.port.url, key: local.port.key.reveal()};
}

/** The embedded service and the program's own client of it; both end with the test. */
export async function startTestService(options: Partial<LocalOptions> = {}): Promise<TestService> {
	const started = await start({...options, folder: options.folder ?? temporaryFolder()});
	onTestFinished(started.close);
	return started;
}

/**
 * The same for all tests of a file, one service for each set of options: for tests that neither end it nor look at
 * what others did. To be called once, outside of tests.
 */
export function sharedTestServices(): (options?: Partial<LocalOptions>) => Promise<TestService> {
	const services = new Map<string, Promise<TestService>>();
	afterAll(async () => {
		for (const service of services.values()) {
			const {close, folder} = await service;
			await close();
			rmSync(folder, {recursive: true, force: true, maxRetries: 5});
		}
	});
	return (options = {}) => {
		const name = JSON.stringify(options);
		const service = services.get(name) ?? start({...options, folder: mkdtempSync(join(tmpdir(), 'test-'))});
		services.set(name, service);
		return service;
	};
}

async function start(options: LocalOptions): Promise<TestService> {
	const local = await startLocalService(options);
	const service = createHttpService({address: socketAddress(options.folder)});
	let ended: Promise<void> | undefined;
	const close = () => {
		ended ??= service.close().then(() => local.close());
		return ended;
	};
	return {local, service, folder: options.folder, close};
}
