import {expect, onTestFinished, test, vi} from 'vitest';
import {createLifetime} from '../../../src/local/lifetime.ts';

/** A service that ends after a minute, and how it ended. */
function serviceWith(options: {readonly idleTime?: number} = {idleTime: 60_000}) {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const now = {isAtWork: false, hasClients: false, ended: 'no'};
	const lifetime = createLifetime({
		...options,
		isAtWork: () => now.isAtWork,
		takeUse: () => now.hasClients,
	});
	onTestFinished(lifetime.close);
	void lifetime.ended.then(how => {
		now.ended = how;
	});
	return {now, lifetime, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms)};
}

test.each(['isAtWork', 'hasClients'] as const)('ends a minute after %s is over, not before', async reason => {
	const {now, pass} = serviceWith();
	now[reason] = true;
	await pass(3_600_000);
	now[reason] = false;
	await pass(55_000);
	expect(now.ended).toBe('no');
	await pass(10_000);
	expect(now.ended).toBe('idle');
});

test('never ends by itself without an idle time', async () => {
	const {now, pass} = serviceWith({});
	await pass(24 * 3_600_000);
	expect(now.ended).toBe('no');
});

test('asked to end when idle, it waits for work, but not for clients', async () => {
	const {now, lifetime, pass} = serviceWith({});
	now.hasClients = true;
	now.isAtWork = true;
	lifetime.stop('idle');
	await pass(60_000);
	expect([now.ended, lifetime.endsWhenIdle]).toEqual(['no', true]);
	now.isAtWork = false;
	await pass(5000);
	expect(now.ended).toBe('idle');
});

test('asked to end now, it waits for nothing', async () => {
	const {now, lifetime, pass} = serviceWith();
	now.isAtWork = true;
	lifetime.stop('now');
	await pass(0);
	expect(now.ended).toBe('stopped');
});
