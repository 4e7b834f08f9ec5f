const uriPattern = /^[a-z][a-z0-9+.-]*:(?:[a-z0-9._~:/?#[\]@!$&'()*+,;=-]|%[0-9a-f]{2})+$/i;

/** Whether the text is a URI (RFC 3986): a scheme, and no characters that need escaping. */
export function isUri(text: string): boolean {
	return uriPattern.test(text) && URL.canParse(text);
}

/** The length of a text as the contract counts it: an emoji is one character, and two UTF-16 units. */
export function characterCount(text: string): number {
	return [...text].length;
}

/** Limits set by the contract. Lengths are in characters. */
export const nameLength = {min: 1, max: 63} as const;
export const remoteUserLength = {min: 1, max: 63} as const;
export const cwdLength = {min: 1, max: 4096} as const;
export const repoLength = 2048;
export const repoCount = 20;
export const pageLimit = {min: 1, max: 100, default: 20} as const;
/** First day for which the service has analytics, YYYY-MM-DD. */
export const analyticsStart = '2026-01-14';
