import {type ClientHttp2Session, connect} from 'node:http2';
import {Duplex} from 'node:stream';
import {setTimeout as delay} from 'node:timers/promises';
import {exponentialDelay} from '../../domain/backoff.ts';
import {parseJson} from '../../domain/parse-json.ts';
import {MachineError, type MachineProgram} from './machine-program.ts';

/** How often the other end is asked whether it is there, and how long it may take to answer, ms. */
const pingInterval = 3_000;
const pingTime = 7_000;
/** The delays before a lost machine is called again, ms. */
const retryDelays = {first: 500, max: 30_000};
/** A connection that lasts this long, ms, was a good one. */
const goodTime = 5_000;
/** How long a request waits for the first connection, ms. */
const connectTime = 5_000;
/** Largest answer, bytes: clients read no larger ones. */
const largestAnswer = 8 * 1024 * 1024;

/** The machine can't be reached now, so the request wasn't sent. */
export class NotSentError extends Error {
	override readonly name = 'NotSentError';
}

/** The connection ended, or time was up, before the answer: the request may have arrived. */
export class CutOffError extends Error {
	override readonly name = 'CutOffError';
}

export type MachineRequest = {
	readonly method: string;
	readonly path: string;
	/** Sent as JSON. */
	readonly body?: unknown;
	/** The machine takes a post with the same key once. */
	readonly idempotencyKey?: string | undefined;
	/** ms. */
	readonly timeout: number;
	/** Largest answer that is read. */
	readonly maxBytes?: number;
};

export type MachineResponse = {readonly status: number; readonly body: unknown};

/** Why there is no connection. Times are Unix ms; `retryAt` is absent during a try. */
export type Outage = {readonly since: number; readonly why: string; readonly retryAt?: number};

/** The only connection to a machine: HTTP/2 over the standard input and output of one program. Reconnects by itself. */
export type Link = ReturnType<typeof createLink>;

export type LinkEvents = {
	/** `isUp` says whether the connection that was made lasts. */
	readonly onUp: (isUp: () => boolean) => void;
	/** Called when an outage begins, with the same time at each try, and without one when it is over. Unix ms. */
	readonly onOutage: (since: number | undefined) => void;
};

/** `open` runs the bridge on the machine, and throws `MachineError`. Aborting `closing` ends the link. */
export function createLink(
	open: () => Promise<MachineProgram>,
	{onUp, onOutage}: LinkEvents,
	closing: AbortSignal,
) {
	let connection: {readonly session: ClientHttp2Session; readonly end: () => void} | undefined;
	let outage: Outage | undefined;
	let connecting: Promise<void> | undefined;
	let retry: NodeJS.Timeout | undefined;
	let failures = 0;

	const fail = (why: string) => {
		if (closing.aborted) return;
		const now = Date.now();
		const wait = exponentialDelay(failures++, retryDelays);
		outage = {since: outage?.since ?? now, why, retryAt: now + wait};
		onOutage(outage.since);
		clearTimeout(retry);
		retry = setTimeout(() => void connectNow().catch(() => {}), wait);
	};

	const start = async () => {
		const opened = await open();
		const stream = Duplex.from({readable: opened.output, writable: opened.input});
		const next = connect('http://localhost', {createConnection: () => stream, settings: {enablePush: false}});
		next.on('error', () => {});
		// A session whose program was killed may say nothing any more.
		const lost = Promise.race([new Promise(resolve => next.once('close', resolve)), opened.ended]);
		// The stream: destroying the session would write to it, and Node throws if it is being closed.
		const end = () => {
			stream.destroy();
			opened.kill();
		};
		const isThere = await Promise.race([answersPing(next), lost.then(() => false)]);
		if (closing.aborted || !isThere) {
			end();
			throw new MachineError(opened.words() || "what answers there isn't Quarterdeck");
		}
		const startedAt = performance.now();
		const made = {session: next, end};
		connection = made;
		outage = undefined;
		onOutage(undefined);
		onUp(() => connection === made);
		const watch = setInterval(() => void answersPing(next).then(isThere => isThere || end()), pingInterval);
		void lost.then(() => {
			clearInterval(watch);
			end();
			connection = undefined;
			if (performance.now() - startedAt > goodTime) failures = 0;
			fail(opened.words() || 'the connection was lost');
		});
	};

	closing.addEventListener('abort', () => {
		clearTimeout(retry);
		connection?.end();
	});

	/** Connects unless it is connected or about to be. Throws `MachineError`. */
	const connectNow = (): Promise<void> => {
		if (connection) return Promise.resolve();
		clearTimeout(retry);
		if (connecting) return connecting;
		if (outage) {
			outage = {since: outage.since, why: outage.why};
			onOutage(outage.since);
		}
		connecting = start()
			.catch((error: Error) => {
				fail(error.message);
				throw error;
			})
			.finally(() => {
				connecting = undefined;
			});
		return connecting;
	};

	return {
		connect: connectNow,
		/** The next try is due now: the user asks for it, or the machine has slept. */
		async check(): Promise<void> {
			failures = 0;
			const current = connection;
			if (!current) await connectNow().catch(() => {});
			else if (!(await answersPing(current.session))) current.end();
		},
		/** Since when it is unreachable; undefined while it is connected, or has never been tried. */
		get outage() {
			return outage;
		},
		get isUp() {
			return connection !== undefined;
		},
		/** Throws `NotSentError` or `CutOffError`. */
		async request({timeout, ...request}: MachineRequest): Promise<MachineResponse> {
			// The first connection is under way: the service has just started.
			if (!connection && !outage && connecting)
				await Promise.race([connecting.catch(() => {}), delay(connectTime, undefined, {ref: false})]);
			if (!connection) throw new NotSentError(outage?.why ?? 'it is being connected');
			return send(connection.session, request, timeout);
		},
	};
}

function answersPing(session: ClientHttp2Session): Promise<boolean> {
	return new Promise(resolve => {
		const timer = setTimeout(() => resolve(false), pingTime);
		const finish = (isThere: boolean) => {
			clearTimeout(timer);
			resolve(isThere);
		};
		try {
			if (session.destroyed || !session.ping(error => finish(!error))) finish(false);
		} catch {
			finish(false);
		}
	});
}

function send(
	session: ClientHttp2Session,
	{method, path, body, idempotencyKey, maxBytes = largestAnswer}: Omit<MachineRequest, 'timeout'>,
	timeout: number,
): Promise<MachineResponse> {
	const {promise, resolve, reject} = Promise.withResolvers<MachineResponse>();
	const stream = session.request({
		':method': method,
		':path': path,
		'content-type': body === undefined ? undefined : 'application/json',
		'idempotency-key': idempotencyKey,
	});
	const cut = (why: string) => {
		reject(new CutOffError(why));
		stream.close();
	};
	const timer = setTimeout(() => cut(`no answer within ${timeout / 1000} s`), timeout);
	const chunks: Buffer[] = [];
	let size = 0;
	let status = 0;
	stream.on('response', headers => {
		status = Number(headers[':status']);
	});
	stream.on('data', (chunk: Buffer) => {
		size += chunk.length;
		if (size > maxBytes) cut(`its answer is over ${maxBytes / 1024 / 1024} MiB`);
		else chunks.push(chunk);
	});
	stream.on('error', () => {});
	stream.on('end', () => {
		const read = readJson(Buffer.concat(chunks));
		if ('why' in read) cut(`its answer is ${read.why}`);
		else if (status > 0) resolve({status, body: read.value});
	});
	stream.on('close', () => {
		clearTimeout(timer);
		reject(new CutOffError('the connection was lost'));
	});
	stream.end(body === undefined ? undefined : JSON.stringify(body));
	return promise;
}

/** Reads an answer, unless it would take many times its size. */
function readJson(bytes: Buffer) {
	const reading = parseJson(bytes);
	for (;;) {
		const {done, value} = reading.next();
		if (done) return value;
	}
}
