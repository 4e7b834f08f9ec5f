/** Share of the heap limit at which the program gives up. The rest is for saving. */
const maxHeapShare = 0.7;

/**
 * Calls `exhausted` once before memory runs out: otherwise V8 would end the process without saving or restoring the
 * terminal. Checks after garbage collections, so it costs nothing when idle. A single burst that takes all the rest, or
 * the system's OOM killer, still ends the process.
 */
export function watchMemory(exhausted: (error: Error) => void): void {
	const {getHeapStatistics} = process.getBuiltinModule('node:v8');
	const observer = new PerformanceObserver(() => {
		// Unlike `process.memoryUsage`, it doesn't ask the system.
		const {used_heap_size: heapUsed, heap_size_limit: limit} = getHeapStatistics();
		if (heapUsed < limit * maxHeapShare) return;
		observer.disconnect();
		const used = Math.round(heapUsed / 1024 / 1024);
		exhausted(new Error(`out of memory: ${used} MB of ${Math.round(limit / 1024 / 1024)} MB are in use`));
	});
	observer.observe({entryTypes: ['gc']});
}
