import {type Safe, stillSafe} from './safe.ts';

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Bytes in their largest unit (1 kB = 1000 B): `817 B`, `1.4 kB`, `214 kB`. `-` if unknown. */
export function byteSize(bytes: number | undefined): Safe {
	if (bytes === undefined || !Number.isFinite(bytes) || bytes < 0) return stillSafe('-');
	let value = bytes;
	let unit = 0;
	while (value >= 999.5 && unit < units.length - 1) {
		value /= 1000;
		unit++;
	}
	const digits = unit > 0 && value < 9.95 ? 1 : 0;
	return stillSafe(`${value.toFixed(digits)} ${units[unit]}`);
}
