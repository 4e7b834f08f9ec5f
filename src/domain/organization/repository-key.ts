const maxLength = 2048;

/**
 * A comparison key for a repository's URL: host and path in lower case, the same for every notation
 * (`https://host/team/name.git`, `git@host:team/name`). Excludes credentials.
 */
export function repositoryKey(url: string): string {
	const trimmed = url.slice(0, maxLength).trim();
	const short = /^(?:[^\s/@]+@)?([\w.-]+):(?!\/\/)(?!\d+\/)(.+)$/.exec(trimmed);
	const plain = short
		? `${short[1]}/${short[2]}`
		: trimmed.replace(/^[a-z][a-z\d+.-]*:\/\/(?:[^/@]*@)?/i, '');
	return plain
		.replace(/[?#].*$/, '')
		.replace(/\/+$/, '')
		.replace(/\.git$/i, '')
		.replace(/\/{2,}/g, '/')
		.toLowerCase();
}
