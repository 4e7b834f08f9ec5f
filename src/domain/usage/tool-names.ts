/** Letters, digits and the punctuation used in tool names, with single inner spaces. */
const toolName = /^[\p{L}\p{N}_@$][\p{L}\p{N}_@$.:/#+*-]*(?: [\p{L}\p{N}_@$.:/#+*-]+){0,5}$/u;
const maxLength = 128;

/** The entry that collects unrecognized names. */
export const unrecognized = 'unrecognized';

/**
 * Whether a name is a fragment of a tool call rather than a tool's name. Some of the service's entries are
 * such parsing artifacts: markup, quotes, brackets, line feeds, whole sentences.
 */
export function isArtifact(name: string): boolean {
	return name.length > maxLength || !toolName.test(name);
}
