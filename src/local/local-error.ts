/** The embedded service can't start: its folder, key, port or agent. The message says what to do next. */
export class LocalServiceError extends Error {
	override readonly name = 'LocalServiceError';
}

/** The `code` of a system error (`ENOENT`, `EADDRINUSE`, ...), if it has one. */
export function errorCode(error: unknown): string | undefined {
	const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
	return typeof code === 'string' ? code : undefined;
}
