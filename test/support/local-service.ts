import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {createHttpService} from '../../src/api/http/http-service.ts';
import type {Service} from '../../src/api/service.ts';
import type {LocalOptions} from '../../src/local/local-service.ts';
import {socketAddress} from '../../src/local/socket-address.ts';
import {type LocalService, startLocalService} from '../../src/local/start-local-service.ts';

/** A folder of the test's own; it is gone when the test is over. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-test-'));
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
	const folder = options.folder ?? temporaryFolder();
	const local = await startLocalService({...options, folder});
	const service = createHttpService({address: socketAddress(local.socket, local.key)});
	const end = async () => {
		await service.close();
		await local.close();
	};
	let ended: Promise<void> | undefined;
	const close = () => {
		ended ??= end();
		return ended;
	};
	onTestFinished(close);
	return {local, service, folder, close};
}
