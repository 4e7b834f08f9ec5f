export type CreditPrice = {readonly amount: number; readonly currency: string};

/** Parses `0.002 USD`; undefined if the text is not a price. */
export function parseCreditPrice(text: string): CreditPrice | undefined {
	const [, amount, currency] = /^(\d+(?:\.\d+)?)\s*(\p{L}{1,8}|\p{Sc})$/u.exec(text.trim()) ?? [];
	const price = {amount: Number(amount), currency: currency ?? ''};
	return price.amount > 0 && Number.isFinite(price.amount) ? price : undefined;
}
