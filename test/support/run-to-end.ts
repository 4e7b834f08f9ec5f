/** Goes through work at once: how often it could have been held up, and what came of it. */
export function runToEnd<Result>(work: Generator<void, Result>): {
	readonly pauses: number;
	readonly result: Result;
} {
	for (let pauses = 0; ; pauses++) {
		const {done, value} = work.next();
		if (done) return {pauses, result: value};
	}
}
