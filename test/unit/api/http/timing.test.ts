import {afterEach, describe, expect, test, vi} from 'vitest';
import {systemTiming} from '../../../../src/api/http/timing.ts';

const day = 86_400_000;

afterEach(() => {
	vi.useRealTimers();
});

describe('the timers of the system', () => {
	// Node runs a timer of more than 2^31 - 1 ms, about 25 days, after 1 ms.
	test('a timer of months runs when its time has come', () => {
		vi.useFakeTimers();
		const run = vi.fn();
		systemTiming.after(60 * day, run);
		vi.advanceTimersByTime(60 * day - 1);
		expect(run).not.toHaveBeenCalled();
		vi.advanceTimersByTime(1);
		expect(run).toHaveBeenCalledOnce();
	});

	test('it can be canceled at any time', () => {
		vi.useFakeTimers();
		const run = vi.fn();
		const cancel = systemTiming.after(60 * day, run);
		vi.advanceTimersByTime(50 * day);
		cancel();
		expect(vi.getTimerCount()).toBe(0);
	});

	test('a time in the past is due now, without a warning of Node', async () => {
		const warn = vi.spyOn(process, 'emitWarning');
		await new Promise<void>(resolve => systemTiming.after(-1, resolve));
		expect(warn).not.toHaveBeenCalled();
		warn.mockRestore();
	});
});
