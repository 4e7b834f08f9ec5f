const maxLength = 2048;

/**
 * What a repository's address is compared by: host and path in lower case, the same for every notation of it
 * (`https://host/team/name.git`, `git@host:team/name`). Credentials are no part of it.
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
