const characters = /^[a-z][a-z0-9+.-]*:(?:[a-z0-9._~:/?#[\]@!$&'()*+,;=-]|%[0-9a-f]{2})+$/i;

/** Is this a URI (RFC 3986): a scheme, and no character that would have to be escaped? */
export function isUri(text: string): boolean {
	return characters.test(text) && URL.canParse(text);
}
