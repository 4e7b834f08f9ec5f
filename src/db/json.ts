import type {SQLOutputValue} from 'node:sqlite';

/** A value that this program wrote as JSON; absent when the column holds something else (a salvaged row, say). */
export function fromJson<T>(value: SQLOutputValue | undefined): T | undefined {
	if (typeof value !== 'string') return undefined;
	try {
		return JSON.parse(value) as T;
	} catch {
		return undefined;
	}
}
