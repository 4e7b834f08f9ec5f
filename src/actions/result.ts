/** How an action ended. What was expected to go wrong is told in words: `what` is wrong, `hint` what to do next. */
export type Result<T> =
	| {readonly isDone: true; readonly value: T}
	| {
			readonly isDone: false;
			readonly what: string;
			readonly hint?: string;
			/** Path of the value that was refused, when one is to blame. */
			readonly field?: string;
	  };

export function done<T>(value: T): Result<T> {
	return {isDone: true, value};
}
