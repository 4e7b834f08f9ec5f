import {type CreditPrice, thousands} from '../../domain/numbers.ts';
import {cleanLine} from '../cells/clean.ts';
import {type Line, span} from '../cells/line.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';

const unknown = stillSafe('-');

function isKnown(value: number | undefined): value is number {
	return value !== undefined && Number.isFinite(value);
}

/** Divides by 1000 until the number has at most three digits before the point. */
function scaled(value: number, units: readonly string[]): {readonly size: number; readonly unit: string} {
	let size = value;
	let index = 0;
	while (size >= 999.5 && index < units.length - 1) {
		size /= 1000;
		index++;
	}
	return {size, unit: units[index] ?? ''};
}

/** Bytes in their largest unit (1 kB = 1000 B): `817 B`, `1.4 kB`, `214 kB`. `-` if unknown. */
export function byteSize(bytes: number | undefined): Safe {
	if (!isKnown(bytes) || bytes < 0) return unknown;
	const {size, unit} = scaled(bytes, ['B', 'kB', 'MB', 'GB', 'TB']);
	return stillSafe(`${size.toFixed(unit !== 'B' && size < 9.95 ? 1 : 0)} ${unit}`);
}

/** What a database holds: `262 kB of at most 2.0 GB, 4.1 kB free in the file`. */
export function storedSize({used, free, limit}: Readonly<Record<'used' | 'free' | 'limit', number>>): Safe {
	const most = Number.isFinite(limit) ? safe` of at most ${byteSize(limit)}` : safe``;
	return safe`${byteSize(used)}${most}${free > 0 ? safe`, ${byteSize(free)} free in the file` : safe``}`;
}

/** A number in full, at most two decimals: `1,234,567`, `0.25`, `-` if unknown. Intl takes 25-45 ms. */
export function exactNumber(value: number | undefined): Safe {
	if (!isKnown(value)) return unknown;
	const [whole = '', decimals] = trimZeros(Math.abs(value).toFixed(2)).split('.');
	if (whole.includes('e')) return stillSafe(String(value));
	const grouped = thousands(whole);
	const text = decimals ? `${grouped}.${decimals}` : grouped;
	return stillSafe(value < 0 && text !== '0' ? `-${text}` : text);
}

/** What so many credits cost: `1,234.50 USD`; `-` if unknown. */
export function cost(credits: number | undefined, {amount, currency}: CreditPrice): Safe {
	if (!isKnown(credits)) return unknown;
	const [whole = '', decimals = ''] = (credits * amount).toFixed(2).split('.');
	return stillSafe(`${whole.includes('e') ? whole : thousands(whole)}.${decimals} ${cleanLine(currency)}`);
}

/** US dollars: `1,234.50 USD`, `< 0.01 USD`; `-` if unknown. */
export function dollars(value: number | undefined): Safe {
	if (value !== undefined && value > 0 && value < 0.01) return stillSafe('< 0.01 USD');
	return cost(value, {amount: 1, currency: 'USD'});
}

/** A number in about five columns, for axes: `950`, `1.2k`, `34M`. `-` if unknown. */
export function shortNumber(value: number | undefined): Safe {
	if (!isKnown(value)) return unknown;
	const {size, unit} = scaled(Math.abs(value), ['', 'k', 'M', 'B', 'T']);
	const digits = size >= 9.95 || Number.isInteger(size) ? 0 : size < 1 ? 2 : 1;
	return stillSafe(`${value < 0 ? '-' : ''}${trimZeros(size.toFixed(digits))}${unit}`);
}

/** A share between 0 and 1 as a percentage: `12 %`, `0.4 %`, `< 0.1 %`. `-` if unknown. */
export function percent(share: number | undefined): Safe {
	if (!isKnown(share)) return unknown;
	const value = share * 100;
	const size = Math.abs(value);
	if (size > 0 && size < 0.1) return stillSafe(value < 0 ? '> -0.1 %' : '< 0.1 %');
	return stillSafe(`${trimZeros(value.toFixed(size < 9.95 ? 1 : 0))} %`);
}

/** A relative change: `+25 %`, `-3 %`, `=` for none. `-` if unknown. */
export function signedPercent(change: number | undefined): Safe {
	if (!isKnown(change)) return unknown;
	return change === 0 ? stillSafe('=') : stillSafe(`${change > 0 ? '+' : ''}${percent(change)}`);
}

/** The difference of two shares in percentage points: `+14 pt`, `=` for none. `-` if unknown. */
export function signedPoints(difference: number | undefined): Safe {
	if (!isKnown(difference)) return unknown;
	const points = trimZeros((difference * 100).toFixed(Math.abs(difference) < 0.0995 ? 1 : 0));
	return Number(points) === 0 ? stillSafe('=') : stillSafe(`${difference > 0 ? '+' : ''}${points} pt`);
}

function trimZeros(text: string): string {
	return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** `+18 -4`, without what is zero; or that there are more. */
export function changedLines({
	added,
	removed,
	hasMoreLines,
}: {
	readonly added?: number | undefined;
	readonly removed?: number | undefined;
	readonly hasMoreLines?: boolean | undefined;
} = {}): Line {
	const counts = [
		...(added ? [span(safe`+${added}`, 'good')] : []),
		...(added && removed ? [span(safe` `)] : []),
		...(removed ? [span(safe`-${removed}`, 'bad')] : []),
	];
	return hasMoreLines && counts.length > 0 ? [...counts, span(safe` or more`, 'dim')] : counts;
}
