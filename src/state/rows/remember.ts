/** Remembers one value, and recomputes it when any input is another object or value. */
export function rememberLast<Value>(): (inputs: readonly unknown[], make: () => Value) => Value {
	let last: {readonly inputs: readonly unknown[]; readonly value: Value} | undefined;
	return (inputs, make) => {
		if (!last?.inputs.every((input, index) => input === inputs[index])) last = {inputs, value: make()};
		return last.value;
	};
}

/** Wraps a function so that it isn't computed again while its inputs are the same. */
export function remember<Inputs extends readonly unknown[], Value>(
	compute: (...inputs: Inputs) => Value,
): (...inputs: Inputs) => Value {
	const remembered = rememberLast<Value>();
	return (...inputs) => remembered(inputs, () => compute(...inputs));
}

/** The same for a function of one object, by its fields. */
export function rememberByFields<Input extends object, Value>(
	compute: (input: Input) => Value,
): (input: Input) => Value {
	const remembered = rememberLast<Value>();
	return input => remembered(Object.values(input), () => compute(input));
}

/** Wraps a function so that it is computed once for each object, as long as the object exists. */
export function rememberEach<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
	const values = new WeakMap<Key, Value>();
	return key => {
		const value = values.get(key) ?? compute(key);
		values.set(key, value);
		return value;
	};
}
