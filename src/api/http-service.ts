import {parseAddress} from '../config/address.ts';
import type {ServiceAddress} from '../config/config.ts';
import {refuseUncheckedTls} from './agents.ts';
import type {Host} from './attempt.ts';
import {createCaller} from './call.ts';
import {ValidationError} from './errors.ts';
import {createWire} from './http.ts';
import {lazyResource} from './lazy-resource.ts';
import {createLimiter, type Limiter} from './limiter.ts';
import {createMask} from './mask.ts';
import type {ResponseInfo} from './response-info.ts';
import type {Service} from './service.ts';
import {systemTiming, type Timing} from './timing.ts';

export type HttpServiceOptions = {
	readonly address: ServiceAddress;
	/** Clock for deadlines, waits and limits; the system's when absent. */
	readonly clock?: Timing;
	/** Called for every response, and for every try without one. Must not throw. */
	readonly onResponse?: (facts: ResponseInfo) => void;
	/**
	 * Retries per call, where its policy allows them; 3 when absent. Use fewer for calls a user waits for.
	 */
	readonly retries?: number;
};

/**
 * Creates the HTTP client of the service. Loads undici and zod: import it lazily, after the first frame.
 * Throws `ConfigError` for an invalid address or http to another machine, and `ValidationError` for a key
 * that can't be sent or if certificate checks are off.
 */
export function createHttpService({
	address,
	clock: timing = systemTiming,
	onResponse,
	retries,
}: HttpServiceOptions): Service {
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
		onResponse(facts: ResponseInfo) {
			skew = facts.skewMs ?? skew;
			onResponse?.(facts);
		},
	};

	function hostOf(text: string, name: string): Host {
		const url = new URL(parseAddress(text, name));
		if (url.protocol === 'https:') refuseUncheckedTls();
		const limiter = limiters.get(url.origin) ?? createLimiter();
		limiters.set(url.origin, limiter);
		const basePath = url.pathname.replace(/\/$/, '');
		const {socket} = address;
		const shown = mask(socket?.path ?? url.origin + basePath);
		const target = {origin: url, shown: mask(socket?.path ?? url.origin), ...(socket && {socket})};
		const advice = address.keyAdvice === undefined ? {} : {keyAdvice: mask(address.keyAdvice)};
		return {
			...shared,
			...advice,
			limiter,
			basePath,
			address: shown,
			wire: createWire(target, key, mask, timing),
		};
	}

	const base = hostOf(address.baseUrl, 'The base address');
	const app = hostOf(address.appUrl, 'The app address');
	/** Created once: it remembers which day the service has rejected. */
	let analytics: Service['analytics'] | undefined;
	const call = createCaller({hosts: {base, app}, timing, ...(retries !== undefined && {retries})});
	return {
		computers: lazyResource(async () => (await import('./computers.ts')).createComputers(call)),
		sessions: lazyResource(async () => (await import('./sessions.ts')).createSessions(call)),
		messages: lazyResource(async () => (await import('./messages.ts')).createMessages(call)),
		users: lazyResource(async () => (await import('./users.ts')).createUsers(call)),
		controls: lazyResource(async () => (await import('./controls.ts')).createControls(call)),
		readiness: lazyResource(async () => (await import('./readiness.ts')).createReadiness(call)),
		analytics: lazyResource(async () => {
			const {createAnalytics} = await import('./analytics.ts');
			analytics ??= createAnalytics(call, () => timing.now() + skew);
			return analytics;
		}),
		async close() {
			await Promise.all([base.wire.close(), app.wire.close()]);
		},
	};
}
