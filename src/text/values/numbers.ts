import {thousands} from '../../domain/thousands.ts';
import {type Safe, stillSafe} from '../cells/safe.ts';

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Bytes in their largest unit (1 kB = 1000 B): `817 B`, `1.4 kB`, `214 kB`. `-` if unknown. */
export function byteSize(bytes: number | undefined): Safe {
	if (bytes === undefined || !Number.isFinite(bytes) || bytes < 0) return stillSafe('-');
	let value = bytes;
	let unit = 0;
	while (value >= 999.5 && unit < byteUnits.length - 1) {
		value /= 1000;
		unit++;
	}
	const digits = unit > 0 && value < 9.95 ? 1 : 0;
	return stillSafe(`${value.toFixed(digits)} ${byteUnits[unit]}`);
}

const unknown = '-';
const units = ['', 'k', 'M', 'B', 'T'] as const;

/**
 * A number in full, with thousands separators and at most two decimals: `1,234,567`, `0.25`. `-` if unknown.
 * Avoids Intl, whose first use costs 25-45 ms at startup.
 */
export function exactNumber(value: number | undefined): Safe {
	if (value === undefined || !Number.isFinite(value)) return stillSafe(unknown);
	const [whole = '', decimals] = trimZeros(Math.abs(value).toFixed(2)).split('.');
	if (whole.includes('e')) return stillSafe(String(value));
	const apart = thousands(whole);
	const text = decimals ? `${apart}.${decimals}` : apart;
	return stillSafe(value < 0 && text !== '0' ? `-${text}` : text);
}

/** A number in about five columns, for axes: `950`, `1.2k`, `34M`. `-` if unknown. */
export function shortNumber(value: number | undefined): Safe {
	if (value === undefined || !Number.isFinite(value)) return stillSafe(unknown);
	let size = Math.abs(value);
	let unit = 0;
	while (size >= 999.5 && unit < units.length - 1) {
		size /= 1000;
		unit++;
	}
	const digits = size >= 9.95 || Number.isInteger(size) ? 0 : size < 1 ? 2 : 1;
	return stillSafe(`${value < 0 ? '-' : ''}${trimZeros(size.toFixed(digits))}${units[unit]}`);
}

/** A share between 0 and 1 as a percentage: `12 %`, `0.4 %`, `< 0.1 %`. `-` if unknown. */
export function percent(share: number | undefined): Safe {
	if (share === undefined || !Number.isFinite(share)) return stillSafe(unknown);
	const value = share * 100;
	const size = Math.abs(value);
	if (size > 0 && size < 0.1) return stillSafe(value < 0 ? '> -0.1 %' : '< 0.1 %');
	return stillSafe(`${trimZeros(value.toFixed(size < 9.95 ? 1 : 0))} %`);
}

/** A relative change: `+25 %`, `-3 %`, `=` for none. `-` if unknown. */
export function signedPercent(change: number | undefined): Safe {
	if (change === undefined || !Number.isFinite(change)) return stillSafe(unknown);
	if (change === 0) return stillSafe('=');
	return stillSafe(`${change > 0 ? '+' : ''}${percent(change)}`);
}

/** The difference of two shares in percentage points: `+14 pt`, `=` for none. `-` if unknown. */
export function signedPoints(difference: number | undefined): Safe {
	if (difference === undefined || !Number.isFinite(difference)) return stillSafe(unknown);
	const points = trimZeros((difference * 100).toFixed(Math.abs(difference) < 0.0995 ? 1 : 0));
	if (Number(points) === 0) return stillSafe('=');
	return stillSafe(`${difference > 0 ? '+' : ''}${points} pt`);
}

function trimZeros(text: string): string {
	return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
