const clientTypes = ['terminal-ui', 'web', 'non-interactive-cli'];

/** The kind of client a request came from, in the words of the analytics rows, if its User-Agent names one. */
export function clientOf(userAgent: string): string | undefined {
	return clientTypes.find(type => userAgent.includes(type));
}
