import {type ChildProcess, spawn} from 'node:child_process';
import {chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import type {Config} from '../../../src/config/config.ts';
import {loadConfig} from '../../../src/config/load-config.ts';
import {findRunning} from '../../../src/local/attach.ts';
import {Wiring} from '../../../src/wiring.ts';
import {neighborId, noNeighbor, runAsNeighbor} from '../../support/neighbor.ts';
import {textOf, whenAnswer, whenSettled} from '../../support/sessions.ts';

type Owner = {readonly child: ChildProcess; end(): Promise<void>};

/** A home that others can enter, and a program of ours that runs the embedded service. */
async function shared(): Promise<{config: Config; owner: Owner}> {
	const home = mkdtempSync('/tmp/qn-');
	onTestFinished(() => rmSync(home, {recursive: true, force: true}));
	chmodSync(home, 0o755);
	const env = {HOME: home, PATH: process.env.PATH};
	const config = await loadConfig({flags: {local: true}, env, home});
	const owner = await startOwner(env);
	return {config, owner};
}

async function startOwner(env: Record<string, string | undefined>): Promise<Owner> {
	const of = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href);
	const script = `
		const {Wiring} = await import(${of('wiring.ts')});
		const {loadConfig} = await import(${of('config/load-config.ts')});
		const config = await loadConfig({flags: {local: true}, env: process.env, home: process.env.HOME});
		await new Wiring(config).connect();
		console.log('up');
	`;
	const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
		env,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
	await new Promise(resolve => child.stdout?.once('data', resolve));
	return {
		child,
		end() {
			child.kill('SIGKILL');
			return ended;
		},
	};
}

/** Another program of ours over the same state folder. */
function follow(config: Config): Wiring {
	const wiring = new Wiring(config, {retries: 0});
	onTestFinished(() => wiring.close());
	return wiring;
}

/** What the announcement tells of where the service listens: a socket's file, or an address with a port. */
function announcedBy(config: Config): {socket?: string; url?: string} {
	return JSON.parse(readFileSync(join(config.stateFolder, 'local', 'service.json'), 'utf8'));
}

/** Listens on whatever it may, in place of a service that was announced, and prints all that it is sent. */
const squat = `
	const [socket, port] = process.argv.slice(1);
	const listen = at => new Promise(resolve => {
		const server = require('node:net').createServer(connection => {
			connection.on('data', bytes => {
				console.log('sent ' + JSON.stringify(String(bytes)));
				connection.end('HTTP/1.1 503 Busy\\r\\nConnection: close\\r\\nContent-Length: 0\\r\\n\\r\\n');
			});
			connection.on('error', () => {});
		});
		server.once('error', error => resolve(error.code)).listen(at, () => resolve('listens'));
	});
	(async () => {
		const results = [];
		if (socket) results.push(await listen(socket));
		if (port) results.push(await listen({port: Number(port), host: '127.0.0.1'}));
		console.log('ready ' + results);
		setInterval(() => {}, 1000);
	})();
`;

describe.skipIf(noNeighbor)(
	`a neighbor on the machine${noNeighbor ? ` (skipped: ${noNeighbor})` : ''}`,
	() => {
		test('gets neither a key nor a message when the owner of the service is killed', async () => {
			const {config, owner} = await shared();
			const follower = follow(config);
			const service = await follower.connect();
			const {id} = await service.computers.create({name: 'box', remoteUser: 'me'});
			await whenSettled(service, id);
			const {sessionId} = await service.sessions.create({computerId: id});
			const {socket = '', url} = announcedBy(config);
			await owner.end();
			const neighbor = runAsNeighbor(squat, socket, url ? new URL(url).port : '');
			await neighbor.until(/ready/);

			// The follower runs the service from now on.
			const first = await service.computers.get(id).catch(error => error);
			expect(neighbor.output()).not.toContain('sent');
			expect(first).toMatchObject({name: 'box'});
			const {messageId} = await service.messages.add(sessionId, {text: 'echo not for you'});
			expect(textOf(await whenAnswer(service, sessionId, messageId, () => true))).toBe('not for you\n');
			const third = await follow(config).connect();
			expect((await third.computers.get(id)).name).toBe('box');
			expect(neighbor.output()).not.toContain('sent');
			expect(neighbor.output()).toContain('ready EACCES');
		});

		test('can neither connect to the socket nor take its place', async () => {
			const {config} = await shared();
			const {socket = ''} = announcedBy(config);
			const before = statSync(socket);
			const attempts = `
			const fs = require('node:fs');
			const [socket, folder] = process.argv.slice(1);
			const attempt = run => { try { run(); return 'done'; } catch (error) { return error.code; } };
			const results = [
				attempt(() => fs.readdirSync(folder)),
				attempt(() => fs.unlinkSync(socket)),
				attempt(() => fs.renameSync(folder, folder + '-away')),
				attempt(() => fs.rmdirSync(folder)),
				attempt(() => fs.chmodSync(folder, 0o777)),
				attempt(() => fs.writeFileSync(folder + '/other.service', '')),
			];
			require('node:net').connect(socket).on('connect', () => console.log('connected'))
				.on('error', error => console.log('ready ' + [...results, error.code]));
		`;
			const neighbor = runAsNeighbor(attempts, socket, dirname(socket));
			const [line] = await neighbor.until(/(ready|connected).*/);
			expect(line).toBe('ready EACCES,EACCES,EACCES,EACCES,EACCES,EACCES,EACCES');
			expect(statSync(socket).ino).toBe(before.ino);
		});

		test.each(['folder', 'socket'])('who owns the %s is refused', async which => {
			const {config} = await shared();
			const {socket = ''} = announcedBy(config);
			chownSync(which === 'folder' ? dirname(socket) : socket, neighborId, neighborId);
			expect(() => findRunning(join(config.stateFolder, 'local'))).toThrow(
				which === 'folder' ? /not a folder of yours/ : /belongs to another user/,
			);
		});
	},
);

test('one program serves and another follows; when the first is killed, the second takes over', async () => {
	const {config, owner} = await shared();
	let isStartedHere = false;
	const wiring = new Wiring(config, {
		retries: 0,
		onLocalStart: () => {
			isStartedHere = true;
		},
	});
	onTestFinished(() => wiring.close());
	const service = await wiring.connect();
	const {id} = await service.computers.create({name: 'box', remoteUser: 'me'});
	await whenSettled(service, id);
	expect(isStartedHere).toBe(false);
	const before = announcedBy(config).socket;
	await owner.end();
	expect((await service.computers.get(id)).name).toBe('box');
	expect(isStartedHere).toBe(true);
	expect(announcedBy(config).socket).not.toBe(before);
	const {sessionId} = await service.sessions.create({computerId: id});
	const {messageId} = await service.messages.add(sessionId, {text: 'echo here'});
	expect(textOf(await whenAnswer(service, sessionId, messageId, () => true))).toBe('here\n');
});
