import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage} from 'node:http';
import type {Secret} from '../../config/secret.ts';
import {Refusal} from './refusal.ts';

const names = new Set(['127.0.0.1', 'localhost']);

/** Throws `Refusal` 421 for a Host other than this address (DNS rebinding by a web page). */
export function checkHost({headers: {host = ''}, socket}: IncomingMessage): void {
	if (!isOurs(host, socket.localPort))
		throw new Refusal(421, 'this service responds only at its own loopback address');
}

/** `localPort` is undefined for a socket in the runtime folder, which clients call `localhost`. */
function isOurs(host: string, localPort: number | undefined): boolean {
	if (localPort === undefined) return host === 'localhost';
	const [name = '', port] = host.split(':');
	return names.has(name.toLowerCase()) && Number(port ?? 80) === localPort;
}

/** Throws `Refusal` 401 unless the bearer key matches the listener's. Compares digests in constant time. */
export function checkKey(request: IncomingMessage, key: Secret): void {
	const given = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
	if (!timingSafeEqual(digest(given), digest(key.reveal())))
		throw new Refusal(401, 'the key is missing or wrong');
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}
