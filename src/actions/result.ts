/** The result of an action. For an expected failure, `what` says what went wrong and `hint` what to do next. */
export type Result<T> =
	| {readonly isDone: true; readonly value: T}
	| {
			readonly isDone: false;
			readonly what: string;
			readonly hint?: string;
			/** Path of the rejected value, if there is one. */
			readonly field?: string;
			/** Nothing answered at the address of a service. */
			readonly isUnreachable?: true;
	  };

export function done<T>(value: T): Result<T> {
	return {isDone: true, value};
}
