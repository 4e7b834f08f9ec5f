/** A topic without the marks of its generated parts. */
export function withoutComments(markdown: string): string {
	return markdown.replaceAll(/^<!--.*-->\n\n?/gm, '');
}
