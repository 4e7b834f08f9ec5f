import {
	type ComputerWatcher,
	type ComputerWatcherOptions,
	createComputerWatcher,
} from './computer-watcher.ts';
import {createUnchangedReads} from './unchanged-reads.ts';

/** Creates one watcher per computer on demand, and keeps it until the computer is forgotten. */
export type ComputerWatchers = {
	of(computerId: string): ComputerWatcher;
	forget(computerId: string): void;
	/** Closes all watchers; resolves when no request is left. */
	stop(): Promise<void>;
};

export function createComputerWatchers(
	parts: Omit<ComputerWatcherOptions, 'computerId' | 'crowd' | 'unchanged'>,
): ComputerWatchers {
	const watchers = new Map<string, ComputerWatcher>();
	const closing = new Set<Promise<void>>();
	const unchanged = createUnchangedReads(parts.registry, parts.clock);
	const crowd = () => [...watchers.values()].filter(({isWaiting}) => isWaiting).length;

	function close(watcher: ComputerWatcher): void {
		const end = watcher.close();
		closing.add(end);
		void end.finally(() => closing.delete(end));
	}

	return {
		of(computerId) {
			const known = watchers.get(computerId);
			if (known) return known;
			const watcher = createComputerWatcher({...parts, computerId, unchanged, crowd});
			watchers.set(computerId, watcher);
			return watcher;
		},
		forget(computerId) {
			const watcher = watchers.get(computerId);
			watchers.delete(computerId);
			if (watcher) close(watcher);
		},
		async stop() {
			for (const watcher of watchers.values()) close(watcher);
			watchers.clear();
			await Promise.all(closing);
		},
	};
}
