import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {createHttpService} from '../../src/api/http/http-client.ts';
import type {Service} from '../../src/api/service.ts';
import {Secret} from '../../src/config/secret.ts';
import {openDatabase} from '../../src/db/open-database.ts';
import type {Clock} from '../../src/domain/clock.ts';
import type {Computer} from '../../src/domain/computers/computer.ts';
import {createStores} from '../../src/state/stores.ts';
import {Engine} from '../../src/sync/engine.ts';
import {startFaultServer} from './fault-server.ts';
import {temporaryFolder} from './local-service.ts';

export function provisioning(id: string, status = 'running'): Computer {
	const step = {id: '1', name: 'clone', status, startedAt: 1_700_000_000_000};
	return {
		id,
		name: id,
		status: status === 'done' ? 'active' : 'provisioning',
		provisioningSteps: [status === 'done' ? {...step, completedAt: 1_700_000_001_000} : step],
	};
}

/** An engine that knows these computers, all being provisioned. It ends with the test. */
export async function startCrowd(
	names: readonly string[],
	service: Service,
	clock: Clock,
	requestsPerSecond = 1_000,
) {
	const database = openDatabase({file: join(temporaryFolder(), 'kept.db'), now: clock.now});
	const stores = createStores();
	const engine = new Engine({
		service,
		database,
		stores,
		clock,
		owner: 'test',
		hooks: 'off',
		requestsPerSecond,
	});
	onTestFinished(async () => {
		await engine.stop();
		database.close();
	});
	for (const id of names)
		database.computers.put({id, origin: 'created', addedAt: clock.now(), computer: provisioning(id)});
	await engine.start();
	return {engine, stores};
}

/** A real server whose computers are up after three reads each; counts what is on its way. */
export async function startCrowdService() {
	const server = await startFaultServer();
	onTestFinished(() => server.close());
	const service = createHttpService({
		address: {baseUrl: server.url, appUrl: server.url, key: new Secret('key')},
		retries: 0,
	});
	onTestFinished(() => service.close());
	const reads = new Map<string, number>();
	const counts = {inFlight: 0, max: 0, listings: 0};
	let hold: Promise<void> = Promise.resolve();
	server.otherwise(async (response, {path}) => {
		counts.max = Math.max(counts.max, ++counts.inFlight);
		const id = path.split('/').at(-1) ?? '';
		const isListing = id === 'messages';
		if (!isListing) await hold;
		// A turn of the loop at least, so that what overlaps is seen to.
		await new Promise(resolve => setTimeout(resolve, 2));
		const count = (reads.get(id) ?? 0) + 1;
		reads.set(id, count);
		if (isListing) counts.listings++;
		counts.inFlight--;
		const body = isListing
			? {messages: [], pagination: {hasMore: false, nextCursor: ''}}
			: provisioning(id, count >= 3 ? 'done' : 'running');
		response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(body));
	});
	return {service, counts, reads, holdUntil: (release: Promise<void>) => (hold = release)};
}

export async function until(isReady: () => boolean): Promise<void> {
	while (!isReady()) await new Promise(resolve => setTimeout(resolve, 5));
}
