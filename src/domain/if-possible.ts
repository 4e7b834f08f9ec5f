/** What `run` returns, or undefined if it throws: for what may be missing, unreadable or malformed, whatever the reason. */
export function ifPossible<Value>(run: () => Value): Value | undefined {
	try {
		return run();
	} catch {
		return undefined;
	}
}
