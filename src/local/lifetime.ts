export type Lifetime = ReturnType<typeof createLifetime>;

type LifetimeOptions = {
	/** Time without a client and without work after which it ends, ms; absent: never by itself. */
	readonly idleTime?: number | undefined;
	readonly isAtWork: () => boolean;
	/** Whether a client is connected, or was since the last call. */
	readonly takeUse: () => boolean;
};

/** How often to look whether the service is in use, ms. */
const checkInterval = 5000;

/** How long a service lives: until nobody uses it, or it is asked to stop. */
export function createLifetime({idleTime = Number.POSITIVE_INFINITY, isAtWork, takeUse}: LifetimeOptions) {
	const {promise: ended, resolve} = Promise.withResolvers<'idle' | 'stopped'>();
	let usedAt = performance.now();
	let endsWhenIdle = false;
	const check = () => {
		if (isAtWork() || (takeUse() && !endsWhenIdle)) usedAt = performance.now();
		else if (endsWhenIdle || performance.now() - usedAt >= idleTime) resolve('idle');
	};
	const timer = setInterval(check, Math.min(checkInterval, idleTime)).unref();
	return {
		isAtWork,
		/** Resolves when the process is to end. */
		ended,
		get endsWhenIdle() {
			return endsWhenIdle;
		},
		/** `idle` waits for work under way, `now` doesn't. */
		stop(when: 'now' | 'idle'): void {
			endsWhenIdle = true;
			// The answer is sent first.
			setImmediate(when === 'now' ? () => resolve('stopped') : check);
		},
		close: () => clearInterval(timer),
	};
}
