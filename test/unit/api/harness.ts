import {afterEach, beforeEach} from 'vitest';
import {createHttpService, type ResponseInfo} from '../../../src/api/http/http-client.ts';
import type {Timing} from '../../../src/api/http/timing.ts';
import type {Service} from '../../../src/api/service.ts';
import {Secret} from '../../../src/config/secret.ts';
import {type FaultServer, startFaultServer} from '../../support/fault-server.ts';

/** A key that must show up nowhere but in the Authorization header. */
export const canary = 'sk-canary/7f3a+91';

export type Harness = {
	server: FaultServer;
	/** A client of the server, on the system's clock. */
	service: Service;
	/** What `onResponse` was told, by any client of this harness. */
	facts: ResponseInfo[];
	client(clock?: Timing): Service;
};

/** A fresh server and client for every test of a file. */
export function setUpHarness(): Harness {
	const harness = {} as Harness;
	const clients: Service[] = [];
	beforeEach(async () => {
		harness.server = await startFaultServer();
		harness.facts = [];
		harness.client = clock => {
			const {url} = harness.server;
			const service = createHttpService({
				address: {baseUrl: url, appUrl: url, key: new Secret(canary)},
				...(clock && {clock}),
				onResponse: facts => harness.facts.push(facts),
			});
			clients.push(service);
			return service;
		};
		harness.service = harness.client();
	});
	afterEach(async () => {
		await harness.server.close();
		await Promise.all(clients.splice(0).map(client => client.close()));
	});
	return harness;
}

/** The error of a call that must fail. */
export async function errorOf(call: Promise<unknown>): Promise<Error> {
	const outcome = await call.then(
		value => ({value}),
		(error: unknown) => ({error}),
	);
	if (!('error' in outcome))
		throw new Error(`the call was to fail but gave ${JSON.stringify(outcome.value)}`);
	if (!(outcome.error instanceof Error)) throw new Error('the call failed with something that is no error');
	return outcome.error;
}
