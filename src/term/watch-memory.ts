/** Part of the heap's limit at which the program gives up. What is left is for saving. */
const bearable = 0.7;

/**
 * Calls `exhausted` once when memory is about to run out: V8 ends the process then without running another line, so
 * nothing would be saved and the terminal not given back. Looks after garbage collections: nothing runs at rest. A
 * single burst that takes all the rest at once, and the system's own killer, still end the process.
 */
export function watchMemory(exhausted: (error: Error) => void): void {
	const {heap_size_limit: limit} = process.getBuiltinModule('node:v8').getHeapStatistics();
	const observer = new PerformanceObserver(() => {
		const {heapUsed} = process.memoryUsage();
		if (heapUsed < limit * bearable) return;
		observer.disconnect();
		const used = Math.round(heapUsed / 1024 / 1024);
		exhausted(new Error(`out of memory: ${used} MB of ${Math.round(limit / 1024 / 1024)} MB are in use`));
	});
	observer.observe({entryTypes: ['gc']});
}
