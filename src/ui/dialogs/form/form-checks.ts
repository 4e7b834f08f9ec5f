import {
	characterCount,
	cwdLength,
	isUri,
	nameLength,
	remoteUserLength,
	repoCount,
	repoLength,
} from '../../../domain/limits.ts';

/** Returns the problem with a value as a sentence, or undefined. The API contract sets the limits. */
export type Check = (value: string) => string | undefined;

const length =
	(what: string, {min, max}: {readonly min: number; readonly max: number}): Check =>
	value => {
		const count = characterCount(value);
		if (count < min) return `${what} is missing`;
		return count > max ? `${what} has ${count} characters; the maximum is ${max}` : undefined;
	};

export const checkName = length('The name', nameLength);
export const checkRemoteUser = length('The user', remoteUserLength);

/** The problem of a field in which nothing is typed. */
export const ifBlank =
	(problem: string): Check =>
	value =>
		value.trim() === '' ? problem : undefined;

export const checkCwd: Check = value => (value === '' ? undefined : length('The folder', cwdLength)(value));

export const checkHostId: Check = value =>
	value === '' || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value.trim())
		? undefined
		: 'Not a UUID, such as 01234567-89ab-cdef-0123-456789abcdef';

export function cannotClear(what: string, start: string): string {
	return `The service can't clear the ${what}: enter another or keep ${start}`;
}

/** Skips `check` for the start value: the service may have sent an invalid one, or none. */
export const unless =
	(start: string, check: Check): Check =>
	value =>
		value === start ? undefined : check(value);

/** The first problem among the repository URLs. */
export const checkRepos: Check = value => {
	const repos = reposOf(value);
	if (repos.length > repoCount) return `${repos.length} repositories; the maximum is ${repoCount}`;
	const wrong = repos.findIndex(repo => checkRepo(repo) !== undefined);
	return wrong < 0 ? undefined : `Repository ${wrong + 1} ${checkRepo(repos[wrong] ?? '') ?? ''}`;
};

const checkRepo: Check = repo => {
	if (repo.length > repoLength) return `has ${repo.length} characters; the maximum is ${repoLength}`;
	if (repo.startsWith('/')) return `must be written file://${repo}`;
	const [, account, path] = /^([\w.-]+@[\w.-]+):(?!\/\/)(.*)$/.exec(repo) ?? [];
	if (account !== undefined) return `must be written ssh://${account}/${path}`;
	return isUri(repo) ? undefined : 'is not a URL such as https://host/team/repo.git';
};

/** Splits a text into repository URLs at spaces and commas. */
export function reposOf(value: string): string[] {
	return value.split(/[\s,]+/).filter(repo => repo !== '');
}
