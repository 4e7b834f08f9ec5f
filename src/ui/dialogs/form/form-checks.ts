import {
	characterCount,
	cwdLength,
	isUri,
	nameLength,
	remoteUserLength,
	repoCount,
	repoLength,
} from '../../../domain/limits.ts';
import {strings} from './strings.ts';

const text = strings.check;

/** Returns the problem with a value as a sentence, or undefined. The API contract sets the limits. */
export type Check = (value: string) => string | undefined;

const length =
	(what: string, {min, max}: {readonly min: number; readonly max: number}): Check =>
	value => {
		const count = characterCount(value);
		if (count < min) return text.missing(what);
		return count > max ? text.tooLong(what, count, max) : undefined;
	};

export const checkName = length(text.name, nameLength);
export const checkRemoteUser = length(text.user, remoteUserLength);

/** The problem of a field in which nothing is typed. */
export const ifBlank =
	(problem: string): Check =>
	value =>
		value.trim() === '' ? problem : undefined;

export const checkCwd: Check = value => (value === '' ? undefined : length(text.folder, cwdLength)(value));

export const checkHostId: Check = value =>
	value === '' || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value.trim()) ? undefined : text.uuid;

/** Skips `check` for the start value: the service may have sent an invalid one, or none. */
export const unless =
	(start: string, check: Check): Check =>
	value =>
		value === start ? undefined : check(value);

/** The first problem among the repository URLs. */
export const checkRepos: Check = value => {
	const repos = reposOf(value);
	if (repos.length > repoCount) return text.tooManyRepos(repos.length, repoCount);
	const wrong = repos.findIndex(repo => checkRepo(repo) !== undefined);
	return wrong < 0 ? undefined : text.repo(wrong + 1, checkRepo(repos[wrong] ?? '') ?? '');
};

const checkRepo: Check = repo => {
	if (repo.length > repoLength) return text.repoTooLong(repo.length, repoLength);
	if (repo.startsWith('/')) return text.writeAs(`file://${repo}`);
	const [, account, path] = /^([\w.-]+@[\w.-]+):(?!\/\/)(.*)$/.exec(repo) ?? [];
	if (account !== undefined) return text.writeAs(`ssh://${account}/${path}`);
	return isUri(repo) ? undefined : text.repoUrl;
};

/** Splits a text into repository URLs at spaces and commas. */
export function reposOf(value: string): string[] {
	return value.split(/[\s,]+/).filter(repo => repo !== '');
}
