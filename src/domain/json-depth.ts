/** More levels than any tool's input has, and fewer than recursive code and clients of the embedded service take. */
export const maxJsonDepth = 200;

/** Whether a parsed JSON value has more levels than `maxJsonDepth`. */
export function isTooDeep(value: unknown): boolean {
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > maxJsonDepth) return true;
		level = level.flatMap(item => (typeof item === 'object' && item !== null ? Object.values(item) : []));
	}
	return false;
}
