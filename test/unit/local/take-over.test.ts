import {mkdirSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {Connection} from '../../../src/api/client.ts';
import {LostResponseError, UnreachableError} from '../../../src/api/errors.ts';
import {createService, type Service} from '../../../src/api/service.ts';
import type {Config} from '../../../src/config/config.ts';
import {loadConfig} from '../../../src/config/load-config.ts';
import type {Computer} from '../../../src/domain/computers/computer.ts';
import {Wiring} from '../../../src/wiring.ts';
import {eventually} from '../../support/eventually.ts';
import {temporaryFolder} from '../../support/local-service.ts';

async function localConfig(): Promise<Config> {
	const home = temporaryFolder();
	return loadConfig({flags: {local: true}, env: {HOME: home}, home});
}

/** One program over the configuration. */
function program(config: Config): Wiring {
	const wiring = new Wiring(config, {provisionsThisMachine: true, retries: 0});
	onTestFinished(() => wiring.close());
	return wiring;
}

/** A read as the engine makes it: one whose answer was lost with the connection is made again. */
async function read(service: Service, id: string): Promise<Computer> {
	try {
		return await service.computers.get(id);
	} catch (error) {
		if (error instanceof LostResponseError) return read(service, id);
		throw error;
	}
}

test('when the program that runs the service ends, an attached one goes on with the same data', async () => {
	const config = await localConfig();
	const [owner, attached, third] = [program(config), program(config), program(config)];
	const first = await owner.connect();
	const computer = await first.computers.create({name: 'box', remoteUser: 'me'});
	const [second, other] = [await attached.connect(), await third.connect()];
	await second.computers.get(computer.id);
	await other.computers.get(computer.id);
	await owner.close();
	// Both at once, and each more than once.
	const calls = [second, other].flatMap(service => [
		read(service, computer.id),
		read(service, computer.id),
		read(service, computer.id),
	]);
	expect((await Promise.all(calls)).map(({name}) => name)).toEqual(Array(6).fill('box'));
	await second.computers.update(computer.id, {name: 'renamed'});
	expect((await second.sessions.create({computerId: computer.id})).status).toBe('idle');
	await attached.close();
	expect((await read(other, computer.id)).name).toBe('renamed');
}, 30_000);

test('a program goes on with its own service after the socket was removed', async () => {
	const config = await localConfig();
	let starts = 0;
	const wiring = new Wiring(config, {retries: 0, onLocalStart: () => void starts++});
	onTestFinished(() => wiring.close());
	const service = await wiring.connect();
	const {id} = await service.computers.create({name: 'box', remoteUser: 'me'});
	const folder = join(config.stateFolder, 'local');
	for (const name of readdirSync(folder)) if (name.endsWith('.service')) rmSync(join(folder, name));
	await eventually(() => service.computers.update(id, {name: 'renamed'}));
	expect((await service.computers.get(id)).name).toBe('renamed');
	expect(starts).toBe(1);
});

test("the next call retries a service that couldn't start, and concurrent calls start only one", async () => {
	const config = await localConfig();
	mkdirSync(config.stateFolder, {recursive: true});
	const inTheWay = join(config.stateFolder, 'local');
	writeFileSync(inTheWay, '');
	const wiring = program(config);
	const refused = await Promise.allSettled([wiring.connect(), wiring.connect()]);
	expect(refused.map(({status}) => status)).toEqual(['rejected', 'rejected']);
	rmSync(inTheWay);
	const [one, other] = await Promise.all([wiring.connect(), wiring.connect()]);
	expect(one).toBe(other);
	expect((await one.computers.create({name: 'box', remoteUser: 'me'})).name).toBe('box');
});

/** A client whose every call fails; counts its calls. */
function failing(error: () => Error) {
	const client = {
		calls: 0,
		async call(): Promise<never> {
			client.calls++;
			throw error();
		},
		now: Date.now,
		async close() {},
	};
	return client;
}

test("doesn't repeat a call that reached a service, whatever came of it", async () => {
	let opened = 0;
	const client = failing(() => new Error('no'));
	const open = async () => {
		opened++;
		return client;
	};
	const service = createService(new Connection(open, {renews: true}));
	await expect(service.computers.get('c')).rejects.toThrow('no');
	expect([client.calls, opened]).toEqual([1, 1]);
});

test('calls that fail together renew the connection once, and one that fails again says so', async () => {
	let opened = 0;
	const open = async () => {
		opened++;
		return failing(() => new UnreachableError('It is gone.', {hint: 'Wait.'}));
	};
	const connection = new Connection(open, {renews: true});
	const service = createService(connection);
	const results = await Promise.allSettled([service.computers.get('a'), service.computers.get('b')]);
	expect(results.map(({status}) => status)).toEqual(['rejected', 'rejected']);
	expect(opened).toBe(2);
	await connection.close();
	await expect(service.computers.get('a')).rejects.toThrow('The service has stopped.');
	expect(opened).toBe(2);
});

test('a call reports a renewal that fails, and the next call tries again', async () => {
	let opened = 0;
	const open = async () => {
		opened++;
		if (opened > 1) throw new Error('The folder is gone.');
		return failing(() => new UnreachableError('It is gone.', {hint: 'Wait.'}));
	};
	const service = createService(new Connection(open, {renews: true}));
	for (const count of [2, 3]) {
		const error = await service.computers.get('a').catch((error: unknown) => error);
		expect(error).toBeInstanceOf(UnreachableError);
		expect((error as Error).message).toContain('The folder is gone.');
		expect(opened).toBe(count);
	}
});
