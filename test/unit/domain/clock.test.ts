import {afterEach, describe, expect, test, vi} from 'vitest';
import {systemClock} from '../../../src/domain/clock.ts';

const day = 86_400_000;

afterEach(() => {
	vi.useRealTimers();
});

describe('system timers', () => {
	// Node runs a timer of more than 2^31 - 1 ms, about 25 days, after 1 ms.
	test('run exactly on time, even after months', () => {
		vi.useFakeTimers();
		const run = vi.fn();
		systemClock.after(60 * day, run);
		vi.advanceTimersByTime(60 * day - 1);
		expect(run).not.toHaveBeenCalled();
		vi.advanceTimersByTime(1);
		expect(run).toHaveBeenCalledOnce();
	});

	test('can be canceled at any time', () => {
		vi.useFakeTimers();
		const run = vi.fn();
		const cancel = systemClock.after(60 * day, run);
		vi.advanceTimersByTime(50 * day);
		cancel();
		expect(vi.getTimerCount()).toBe(0);
	});

	test('run at once for a time in the past, without a warning from Node', async () => {
		const warn = vi.spyOn(process, 'emitWarning');
		await new Promise<void>(resolve => systemClock.after(-1, resolve));
		expect(warn).not.toHaveBeenCalled();
		warn.mockRestore();
	});
});
