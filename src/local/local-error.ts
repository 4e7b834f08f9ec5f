/** The embedded service can't start: its folder, key, port or agent is at fault. The message says what to do. */
export class LocalServiceError extends Error {
	override readonly name = 'LocalServiceError';
}

/** The `code` of a system error (`ENOENT`, `EADDRINUSE`, ...), if any. */
export function errorCode(error: unknown): string | undefined {
	const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
	return typeof code === 'string' ? code : undefined;
}
