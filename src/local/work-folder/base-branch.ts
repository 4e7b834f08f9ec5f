import {type Git, outputOf} from '../processes/git.ts';

/** The branch that the checked-out one started from, and their newest common commit. */
type BaseBranch = {
	readonly name: string;
	readonly commit: string;
	readonly commits: number;
};

/** Branches that others usually start from, remote and local. */
const usualBases = [
	'refs/remotes/*/HEAD',
	...['main', 'master'].flatMap(name => [`refs/remotes/*/${name}`, `refs/heads/${name}`]),
];
/** Each costs two runs of git. */
const maxBases = 8;

/**
 * Finds the base of the checked out branch: of the usual base branches and the branch that the repository's main work
 * tree has checked out, the one with the fewest commits since. Undefined if there is none.
 */
export async function readBase(git: Git, branch: string | undefined): Promise<BaseBranch | undefined> {
	const [refs = '', worktrees = ''] = (
		await Promise.all([
			git(['for-each-ref', '--format=%(refname) %(symref)', ...usualBases]),
			git(['worktree', 'list', '--porcelain']),
		])
	).map(outputOf);
	const usual = refs.split('\n').map(line => line.split(' ').findLast(name => name !== ''));
	const main = /^branch (.*)$/m.exec(worktrees.split('\n\n')[0] ?? '')?.[1];
	const names = [...new Set([...usual, main])].filter(
		name => name !== undefined && name !== `refs/heads/${branch}`,
	);
	const found = await Promise.all(
		names.slice(0, maxBases).map(async (ref = ''): Promise<BaseBranch[]> => {
			const commit = outputOf(await git(['merge-base', 'HEAD', ref]))?.trim();
			const count = commit && outputOf(await git(['rev-list', '--count', `${commit}..HEAD`]));
			if (!commit || !count) return [];
			return [{name: ref.replace(/^refs\/(?:heads|remotes)\//, ''), commit, commits: Number(count)}];
		}),
	);
	return found.flat().sort((a, b) => a.commits - b.commits)[0];
}
