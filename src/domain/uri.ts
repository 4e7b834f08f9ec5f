const characters = /^[a-z][a-z0-9+.-]*:(?:[a-z0-9._~:/?#[\]@!$&'()*+,;=-]|%[0-9a-f]{2})+$/i;

/** Whether the text is a URI (RFC 3986): a scheme, and no characters that need escaping. */
export function isUri(text: string): boolean {
	return characters.test(text) && URL.canParse(text);
}
