/** Letters, digits and the marks that names of tools are made of, single spaces inside. */
const toolName = /^[\p{L}\p{N}_@$][\p{L}\p{N}_@$.:/#+*-]*(?: [\p{L}\p{N}_@$.:/#+*-]+){0,5}$/u;
const maxLength = 128;

/** Where names that are none are gathered. */
export const unrecognized = 'unrecognised';

/**
 * Is this a scrap of what a tool was called with instead of its name? Some entries hold parsing artifacts (contract,
 * section 8): markup, quotes, brackets, line feeds, whole sentences.
 */
export function isArtifact(name: string): boolean {
	return name.length > maxLength || !toolName.test(name);
}
