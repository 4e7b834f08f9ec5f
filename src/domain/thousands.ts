/** The digits of a whole number, thousands apart: `1,234,567`. */
export function thousands(digits: number | string): string {
	return String(digits).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
