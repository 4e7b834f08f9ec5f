/** Letters, digits and the marks that names of tools are made of, single spaces inside. */
const toolName = /^[\p{L}\p{N}_@$][\p{L}\p{N}_@$.:/#+*-]*(?: [\p{L}\p{N}_@$.:/#+*-]+){0,5}$/u;
const maxLength = 128;

/** Where names that are none are gathered. */
export const unrecognized = 'unrecognized';

/**
 * Whether this is a fragment of a tool call instead of a tool's name. A few of the service's entries are such parsing
 * artifacts: markup, quotes, brackets, line feeds, whole sentences.
 */
export function isArtifact(name: string): boolean {
	return name.length > maxLength || !toolName.test(name);
}
