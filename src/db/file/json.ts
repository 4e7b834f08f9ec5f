import type {SQLOutputValue} from 'node:sqlite';

/** Parses JSON that this program wrote; undefined for anything else (in a salvaged row, say). */
export function fromJson<T>(value: SQLOutputValue | undefined): T | undefined {
	if (typeof value !== 'string') return undefined;
	try {
		return JSON.parse(value) as T;
	} catch {
		return undefined;
	}
}
