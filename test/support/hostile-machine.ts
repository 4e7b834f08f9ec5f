// A machine that a test reaches by a command: it answers the scripts of the program, but not as Quarterdeck would.
// Arguments: how it behaves, and the ids of sessions that aren't its own, or a file for the ids of its processes.
import {appendFileSync} from 'node:fs';
import {createServer, type Http2ServerResponse} from 'node:http2';
import {flushCompileCache} from 'node:module';
import {Duplex} from 'node:stream';

// Whoever ends it gives it no time to keep its compiled code for the next start.
flushCompileCache();

const [, , behavior = '', ...foreignIds] = process.argv;
const computer = {
	id: 'there',
	name: 'there',
	status: behavior === 'types' ? {} : 'active',
	provisioningSteps: behavior === 'types' ? 5 : [],
	folder: behavior === 'types' ? ['/'] : undefined,
};
const megabyte = 'x'.repeat(1024 * 1024);

function answer(response: Http2ServerResponse, body: unknown): void {
	response.writeHead(200, {'content-type': 'application/json'});
	response.end(JSON.stringify(body));
}

function serve(): void {
	let changes = 0;
	const server = createServer((request, response) => {
		const {method, url} = request;
		if (url.startsWith('/quarterdeck/v0/service')) answer(response, {computerIds: [computer.id]});
		else if (url.startsWith('/quarterdeck/v0/changes')) {
			const sessions = ['mine', ...foreignIds].map(sessionId => ({
				sessionId,
				computerId: 'c',
				title: behavior === 'ids' ? 'TAKEN' : '',
				status: 'idle',
			}));
			answer(response, {cursor: ++changes, addedIds: ['mine', ...foreignIds], sessions, computerIds: []});
		} else if (method === 'POST' && url === '/api/v0/sessions')
			answer(response, {sessionId: foreignIds[0] ?? 'new', computerId: computer.id});
		else if (url.includes('/messages') && behavior === 'flood') {
			response.writeHead(200, {'content-type': 'application/json'});
			const write = () => {
				while (!response.destroyed && response.write(megabyte));
			};
			response.on('drain', write);
			response.on('error', () => {});
			write();
		} else if (url.includes('/messages') && behavior === 'goaway') request.stream.session?.goaway();
		else if (method === 'PATCH') answer(response, {sessionId: foreignIds[0], computerId: computer.id});
		else answer(response, computer);
	});
	server.on('session', session => session.on('error', () => {}));
	server.on('sessionError', () => {});
	process.stdout.write('\nquarterdeck-bridge 1\n');
	server.emit('connection', Duplex.from({readable: process.stdin, writable: process.stdout}));
}

function play(script: string): void {
	if (behavior === 'noise') {
		const write = () => {
			while (process.stdout.write(megabyte));
		};
		process.stdout.on('drain', write);
		process.stdout.on('error', () => process.exit());
		write();
	} else if (behavior === 'hangs') {
		const isBridge = script.includes('say absent');
		const note = () => appendFileSync(foreignIds[0] ?? '', `${process.pid}\n`);
		// Its input ends when the marker was read.
		if (isBridge) note();
		else process.stdin.on('end', note);
		process.stdout.write(`\nquarterdeck-${isBridge ? 'absent' : 'machine'} 1\n`);
		setInterval(() => {}, 60_000);
	} else if (script.includes('exec "$n"')) {
		if (behavior === 'silent') process.stdout.write('\nquarterdeck-bridge 1\nHTTP/1.1 200 OK\n');
		else serve();
	} else {
		const facts = [
			'system=Linux x86_64',
			'user=\u001b[31mme',
			'hostname=there',
			'hasNode=yes',
			'hasProgram=yes',
		];
		process.stdout.write(`\nquarterdeck-machine 1\n${facts.join('\n')}\n`, () => process.exit());
	}
}

process.stdin.once('data', script => play(script.toString()));
