export type JsonObject = {readonly [name: string]: unknown};

/** The object that a JSON text holds; undefined for any other text. */
export function parseObject(text: string): JsonObject | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
