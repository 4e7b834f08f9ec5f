/** Formats a whole number with thousands separators: `1,234,567`. */
export function thousands(digits: number | string): string {
	return String(digits).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

const units = {b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12} as const;

/** Parses a byte count such as `2 GB`, `500MB` or `1.5 gb` (1 kB is 1000 B); undefined if the text isn't one. */
export function parseByteCount(text: string): number | undefined {
	const [, number, unit = 'b'] = /^\s*(\d{1,12}(?:\.\d{1,3})?)\s*([kmgt]?b)?\s*$/i.exec(text) ?? [];
	if (number === undefined) return undefined;
	const bytes = Math.round(Number(number) * units[unit.toLowerCase() as keyof typeof units]);
	return Number.isSafeInteger(bytes) ? bytes : undefined;
}

export type CreditPrice = {readonly amount: number; readonly currency: string};

/** Parses `0.002 USD`; undefined if the text is not a price. */
export function parseCreditPrice(text: string): CreditPrice | undefined {
	const [, amount, currency] = /^(\d+(?:\.\d+)?)\s*(\p{L}{1,8}|\p{Sc})$/u.exec(text.trim()) ?? [];
	const price = {amount: Number(amount), currency: currency ?? ''};
	return price.amount > 0 && Number.isFinite(price.amount) ? price : undefined;
}
