import {parseAddress} from '../../config/address.ts';
import type {ServiceAddress} from '../../config/config.ts';
import {proxyFor, shownProxy} from '../../config/proxy.ts';
import {systemClock} from '../../domain/clock.ts';
import type {Client} from '../client.ts';
import {ValidationError} from '../errors.ts';
import {Limiter, type WaitUntil} from '../rate-limit.ts';
import {createService, type Service} from '../service.ts';
import type {Host, ResponseInfo} from './attempt.ts';
import {makeCall} from './call.ts';
import {Transport} from './http.ts';
import {refuseUncheckedTls} from './http-agents.ts';
import {createMask} from './mask.ts';
import type {Timing} from './timing.ts';

type HttpServiceOptions = {
	readonly address: ServiceAddress;
	/** Clock for deadlines, waits and limits; the system's when absent. */
	readonly clock?: Timing;
	/** Called for every response, and for every try without one. Must not throw. */
	readonly onResponse?: (info: ResponseInfo) => void;
	/** Retries per call, where its policy allows them; 3 when absent. Use fewer for calls a user waits for. */
	readonly retries?: number;
};

/** The service over a client of its own. Throws what `createHttpClient` throws. */
export function createHttpService(options: HttpServiceOptions): Service {
	return createService(createHttpClient(options));
}

/**
 * Creates the HTTP client of the service. Loads undici and zod: import it lazily, after the first frame.
 * Throws `ConfigError` for an invalid address or http to another machine, and `ValidationError` for a key
 * that can't be sent or if certificate checks are off.
 */
export function createHttpClient({
	address,
	clock: timing = systemClock,
	onResponse,
	retries,
}: HttpServiceOptions): Client {
	const {key} = address;
	if (!/^[\x21-\x7e]+$/.test(key.reveal())) {
		throw new ValidationError('key', 'is empty or contains characters that no API key has', {
			hint: 'Copy the API key again.',
		});
	}
	const mask = createMask(key);
	const limiters = new Map<string, Limiter>();
	let skew = 0;
	const shared = {
		mask,
		timing,
		keyAdvice: address.keyAdvice && mask(address.keyAdvice),
		onResponse(info: ResponseInfo) {
			skew = info.skewMs ?? skew;
			onResponse?.(info);
		},
	};

	function hostOf(text: string, name: string, role: keyof WaitUntil): Host {
		const url = new URL(parseAddress(text, name));
		if (url.protocol === 'https:') refuseUncheckedTls();
		const limiter = limiters.get(url.origin) ?? new Limiter();
		limiters.set(url.origin, limiter);
		limiter.addresses.add(role);
		const basePath = url.pathname.replace(/\/$/, '');
		const {socket} = address;
		const proxy = socket ? undefined : proxyFor(url, process.env);
		const through = proxy ? ` through the proxy ${shownProxy(proxy)}` : '';
		const displayName = mask(socket?.path ?? url.origin + through);
		const target = {origin: url, displayName, proxy: proxy?.url, socket};
		return {
			...shared,
			limiter,
			basePath,
			address: mask(socket?.path ?? url.origin + basePath),
			isEmbedded: socket !== undefined,
			transport: new Transport(target, key, mask, timing),
		};
	}

	const base = hostOf(address.baseUrl, 'The base address', 'base');
	const app = hostOf(address.appUrl, 'The app address', 'app');
	return {
		call: call => makeCall(call.host === 'app' ? app : base, call, retries),
		now: () => timing.now() + skew,
		async close() {
			await Promise.all([base.transport.close(), app.transport.close()]);
		},
	};
}
