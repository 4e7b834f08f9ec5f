/** Formats a whole number with thousands separators: `1,234,567`. */
export function thousands(digits: number | string): string {
	return String(digits).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
