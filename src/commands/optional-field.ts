/**
 * An object with one field, or an empty one when the value is undefined, so that unset fields are never sent.
 */
export function optionalField<Name extends string, Value>(
	name: Name,
	value: Value | undefined,
): {[key in Name]?: Value} {
	return value === undefined ? {} : ({[name]: value} as {[key in Name]?: Value});
}
