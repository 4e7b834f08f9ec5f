/** An object with one field, or with none when there is no value: a field that was not asked for is never sent. */
export function optionalField<Name extends string, Value>(
	name: Name,
	value: Value | undefined,
): {[key in Name]?: Value} {
	return value === undefined ? {} : ({[name]: value} as {[key in Name]?: Value});
}
