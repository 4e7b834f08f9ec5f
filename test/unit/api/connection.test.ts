import {expect, test} from 'vitest';
import {NotFoundError, UnauthorizedError, UnreachableError} from '../../../src/api/errors.ts';
import {Connection, createService} from '../../../src/api/service.ts';

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

test('a call that another service refused, as it has another key, is made again at that one', async () => {
	let opened = 0;
	const open = async () => {
		opened++;
		if (opened === 1) return failing(() => new UnauthorizedError('The key is wrong.', {hint: ''}));
		return failing(() => new NotFoundError('Not there.', {hint: ''}));
	};
	const service = createService(new Connection(open, {renews: true}));
	await expect(service.computers.get('c')).rejects.toThrow(NotFoundError);
	expect(opened).toBe(2);
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
