import {once} from 'node:events';
import {createServer} from 'node:http2';
import {Duplex, PassThrough, Writable} from 'node:stream';
import {expect, onTestFinished, test} from 'vitest';
import {createLink} from '../../../../src/local/machines/link.ts';
import type {MachineProgram} from '../../../../src/local/machines/machine-program.ts';

test('a program that ends while its input is being closed is a lost connection', async () => {
	const closing = new AbortController();
	onTestFinished(() => closing.abort());
	const {promise: lost, resolve: onLost} = Promise.withResolvers<void>();
	const output = new PassThrough();
	const requests = new PassThrough();
	// Closing it never comes to an end.
	const input = new Writable({write: (chunk, _, done) => void requests.write(chunk, done), final() {}});
	const {promise: ended, resolve: end} = Promise.withResolvers<number>();
	const program = {marker: 'bridge', input, output, ended, words: () => '', kill() {}};
	const server = createServer();
	server.emit('connection', Duplex.from({readable: requests, writable: output}));
	const events = {onUp() {}, onOutage: (since: number | undefined) => since !== undefined && onLost()};
	const link = createLink(async () => program as unknown as MachineProgram, events, closing.signal);
	await link.connect();
	output.end();
	await once(output, 'close');
	end(1);
	await lost;
	expect(link.outage?.why).toBe('the connection was lost');
});

test('each try tells of the outage again, with its own reason, and no next try is named while one runs', async () => {
	const closing = new AbortController();
	onTestFinished(() => closing.abort());
	const told: (readonly [string | undefined, boolean])[] = [];
	const onOutage = () => told.push([link.outage?.why, link.outage?.retryAt !== undefined]);
	const reasons = ['no route', 'refused'];
	const open = async () => {
		throw new Error(reasons.shift());
	};
	const link = createLink(open, {onUp() {}, onOutage}, closing.signal);
	await link.connect().catch(() => {});
	await link.check();
	expect(told).toEqual([
		['no route', true],
		['no route', false],
		['refused', true],
	]);
});
