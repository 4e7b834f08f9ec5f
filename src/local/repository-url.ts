const protocols = new Set(['https:', 'http:', 'ssh:', 'file:']);

/** Why this can't be a repository to clone, or undefined when it can. */
export function repositoryProblem(url: string): string | undefined {
	if (!URL.canParse(url)) return 'must be a URI, such as https://host/owner/repo.git or file:///path/to/repo';
	const {protocol, hostname, username, pathname} = new URL(url);
	if (!protocols.has(protocol)) return 'must be an https, http, ssh or file URI';
	// What starts with a dash would be read as an option by ssh or git.
	if ([hostname, username, decodeURIComponent(username)].some(part => part.startsWith('-')))
		return "its host and user can't start with a dash";
	if (protocol !== 'file:' && hostname === '') return 'must name a host';
	if (/[\0\r\n]/.test(url)) return "can't hold control characters";
	return pathname.replaceAll('/', '') === '' ? 'must name a repository' : undefined;
}

/** A folder name for a repository: the last part of its path, without `.git`. */
export function repositoryName(url: string): string {
	const last = new URL(url).pathname.replace(/\/+$/, '').split('/').at(-1) ?? '';
	const name = safeDecode(last)
		.replace(/\.git$/i, '')
		.replace(/[^\w.-]/g, '-')
		.replace(/^[.-]+/, '');
	return name.slice(0, 100) || 'repository';
}

/** Names for repositories cloned side by side: a number is added to a name that is taken. */
export function repositoryNames(urls: readonly string[]): string[] {
	const taken = new Set<string>();
	return urls.map(url => {
		const name = repositoryName(url);
		let free = name;
		for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${name}-${n}`;
		taken.add(free.toLowerCase());
		return free;
	});
}

/** Text in which the user and password of every address are masked. */
export function maskCredentials(text: string): string {
	return text.replace(/(\b[a-z][a-z\d+.-]*:\/\/)[^\s/@]+@/gi, '$1***@');
}

function safeDecode(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}
