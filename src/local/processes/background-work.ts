/** Tracks work that no request waits for. */
export function createBackgroundWork() {
	const running = new Set<Promise<void>>();
	return {
		/** Drops errors (a full disk): the next start or request reports what could not be saved. */
		add(work: Promise<void>): void {
			const tracked = work.catch(() => {}).finally(() => running.delete(tracked));
			running.add(tracked);
		},
		async settled(): Promise<void> {
			while (running.size > 0) await Promise.all(running);
		},
	};
}
