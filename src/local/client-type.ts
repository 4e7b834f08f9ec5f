const clientTypes = ['terminal-ui', 'web', 'non-interactive-cli'];

/** The client type a request's User-Agent names, as used in analytics rows; undefined if it names none. */
export function clientOf(userAgent: string): string | undefined {
	return clientTypes.find(type => userAgent.includes(type));
}
