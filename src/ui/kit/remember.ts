/** Wraps a function so that it isn't computed again while its inputs are the same objects. */
export function remember<Inputs extends readonly unknown[], Result>(
	compute: (...inputs: Inputs) => Result,
): (...inputs: Inputs) => Result {
	let last: {readonly inputs: Inputs; readonly result: Result} | undefined;
	return (...inputs) => {
		if (last === undefined || inputs.some((input, index) => input !== last?.inputs[index]))
			last = {inputs, result: compute(...inputs)};
		return last.result;
	};
}
