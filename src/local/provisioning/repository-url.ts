import {ifPossible} from '../../domain/if-possible.ts';
/** Returns why this URL can't be cloned, or undefined when it can. */
export function repositoryProblem(url: string): string | undefined {
	if (!URL.canParse(url)) return 'must be a URI, such as https://host/owner/repo.git or file:///path/to/repo';
	// Without the slashes, git would take `https:path` for a host named https.
	if (!/^(https?|ssh|file):\/\//i.test(url)) return 'must be an https, http, ssh or file URI';
	if (/%(?![\da-f]{2})/i.test(url)) return 'contains a percent sign without two hexadecimal digits after it';
	if (hasControls(url) || hasControls(decodeEscapes(url))) return "can't contain control characters";
	const {protocol, hostname, username, pathname} = new URL(url);
	const path = decodeEscapes(pathname).replace(/^[/\\]+/, '');
	// ssh and git decode the URL first and could then parse a leading dash as an option.
	if ([decodeEscapes(hostname), decodeEscapes(username), path].some(part => part.startsWith('-')))
		return "its host, user and path can't start with a dash";
	if (protocol !== 'file:' && hostname === '') return 'must name a host';
	return path === '' ? 'must name a repository' : undefined;
}

/** Decodes byte by byte, as git does: the result need not be valid UTF-8. */
function decodeEscapes(text: string): string {
	return text.replace(/%([\da-f]{2})/gi, (_, digits: string) =>
		String.fromCharCode(Number.parseInt(digits, 16)),
	);
}

function hasControls(text: string): boolean {
	return /\p{Cc}/u.test(text.replace(/[\u0080-\u009f]/g, ''));
}

/** A repository's folder name: the last path segment without `.git`. */
export function repositoryName(url: string): string {
	const last = new URL(url).pathname.replace(/\/+$/, '').split('/').at(-1) ?? '';
	const name = (ifPossible(() => decodeURIComponent(last)) ?? last)
		.replace(/\.git$/i, '')
		.replace(/[^\w.-]/g, '-')
		.replace(/^[.-]+/, '');
	return name.slice(0, 100) || 'repository';
}

/** Unique folder names for repositories cloned side by side: duplicates get a number. */
export function repositoryNames(urls: readonly string[]): string[] {
	const usedNames = new Set<string>();
	return urls.map(url => {
		const name = repositoryName(url);
		let candidate = name;
		for (let n = 2; usedNames.has(candidate.toLowerCase()); n++) candidate = `${name}-${n}`;
		usedNames.add(candidate.toLowerCase());
		return candidate;
	});
}

/** Masks the user and password in every URL of the text. */
export function maskCredentials(text: string): string {
	return text.replace(/(\b[a-z][a-z\d+.-]*:\/\/)[^\s/@]+@/gi, '$1***@');
}
