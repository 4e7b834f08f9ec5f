import {cwdLength, nameLength, remoteUserLength, repoCount, repoLength} from '../../domain/limits.ts';

/** What is wrong with a value, in words, or nothing. The limits are the contract's (sections 4.5, 4.6 and 8). */
type Check = (value: string) => string | undefined;

const length =
	(what: string, {min, max}: {readonly min: number; readonly max: number}): Check =>
	value => {
		if (value.length < min) return `${what} is missing`;
		return value.length > max ? `${what} has ${value.length} characters; at most ${max}` : undefined;
	};

export const checkName = length('The name', nameLength);
export const checkRemoteUser = length('The user', remoteUserLength);
export const checkId: Check = value => (value.trim() === '' ? 'The id is missing' : undefined);
export const checkCwd: Check = value => (value === '' ? undefined : length('The folder', cwdLength)(value));

export const checkHostId: Check = value =>
	value === '' || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value.trim())
		? undefined
		: 'Not a UUID, such as 01234567-89ab-cdef-0123-456789abcdef';

export const checkRepos: Check = value => {
	const repos = reposOf(value);
	if (repos.length > repoCount) return `${repos.length} repositories; at most ${repoCount}`;
	for (const [index, repo] of repos.entries()) {
		if (repo.length > repoLength) return `Repository ${index + 1} is longer than ${repoLength} characters`;
		if (repo.startsWith('/')) return `Write it as an address: file://${repo}`;
		if (!URL.canParse(repo))
			return `Repository ${index + 1} is no address, such as https://host/team/repo.git`;
	}
	return undefined;
};

/** The addresses in a text, at spaces and commas. */
export function reposOf(value: string): string[] {
	return value.split(/[\s,]+/).filter(repo => repo !== '');
}
