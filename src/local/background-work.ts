/** Work that no request waits for. */
export type BackgroundWork = {
	/** Drops errors (a full disk): the next start or request reports what could not be saved. */
	add(work: Promise<void>): void;
	/** Resolves when no work is left. */
	settled(): Promise<void>;
};

export function createBackgroundWork(): BackgroundWork {
	const running = new Set<Promise<void>>();
	return {
		add(work) {
			const tracked = work.catch(() => {}).finally(() => running.delete(tracked));
			running.add(tracked);
		},
		async settled() {
			while (running.size > 0) await Promise.all(running);
		},
	};
}
