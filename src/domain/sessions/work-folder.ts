import type {ExtraFields, OpenEnum} from '../known.ts';

/** The name under which the embedded service announces that it shows and changes its sessions' work folders. */
export const workFolderOffer = 'work-folder';

export type ChangeKind = 'added' | 'deleted' | 'modified' | 'renamed' | 'untracked' | 'conflict';

/** A changed file of a work folder. Names and lines are raw. */
export type ChangedFile = ExtraFields & {
	/** Relative to the top of the repository. */
	readonly path: string;
	/** Its path before it was renamed. */
	readonly from?: string;
	readonly kind?: OpenEnum<ChangeKind>;
	/** Number of lines; absent for a binary file. */
	readonly added?: number;
	readonly removed?: number;
	/** Whether more lines have changed than are counted. */
	readonly hasMoreLines?: boolean;
	readonly isBinary?: boolean;
	/** The hunks of its unified diff, without the lines that name the file. */
	readonly patch?: string;
	/** Whether lines are missing because the file or the whole diff is too large. */
	readonly isCut?: boolean;
	/** What changed besides lines, or why there are none. */
	readonly note?: string;
};

/** Branch and changed lines of the repository that a session works in. */
export type FolderSummary = ExtraFields &
	Pick<WorkingDiff, 'folder' | 'repository' | 'branch' | 'added' | 'removed' | 'hasMoreLines'> & {
		/** The first of its changed files, relative to the top. */
		readonly paths?: readonly string[];
		/** The folder is a work tree of the session's own, at this path. */
		readonly isWorktree?: boolean;
		readonly cwd?: string;
		/** Where it was made from: the folder that the user named. Stays after the work tree is removed. */
		readonly sourceFolder?: string;
	};

/** What to commit: the changes of the diff with this id, but for some files. */
export type CommitValues = {
	readonly diffId: string;
	readonly message: string;
	readonly except?: readonly string[];
};

/** A commit, or why there is none, in git's own words. */
export type CommitResult = ExtraFields & {
	readonly commit?: string;
	readonly branch?: string;
	readonly problem?: string;
};

/** An opened pull request, or why there is none, in the words of git or `gh`. */
export type PullRequestResult = ExtraFields & {
	readonly url?: string;
	readonly branch?: string;
	readonly isPushed?: boolean;
	readonly problem?: string;
};

/** The result of removing a session's work tree, and what prevented it. */
export type WorktreeRemoval = ExtraFields & {
	readonly isRemoved?: boolean;
	readonly branch?: string;
	/** Files that aren't committed, and commits that no other branch has. */
	readonly changes?: number;
	readonly commits?: number;
	readonly isBranchKept?: boolean;
};

/** Changes of a work folder since its last commit or its base branch, or why there are none to show. */
export type WorkingDiff = ExtraFields & {
	/** Changes whenever a file does, so that only what was shown can be committed. */
	readonly id?: string;
	/** Top of the repository. */
	readonly folder?: string;
	/** What all work trees of one repository share: its folder `.git`. */
	readonly repository?: string;
	readonly branch?: string;
	/** The base of the comparison, if not the last commit, and the number of commits since. */
	readonly base?: string;
	readonly commits?: number;
	/** No base branch was found to compare with. */
	readonly hasNoBase?: boolean;
	readonly added?: number;
	readonly removed?: number;
	/** Whether more lines have changed than are counted. */
	readonly hasMoreLines?: boolean;
	readonly files?: readonly ChangedFile[];
	/** Number of changed files beyond those listed. */
	readonly leftOut?: number;
	/** Whether the service can open pull requests: `gh` is installed there. */
	readonly hasPullRequests?: boolean;
	readonly problem?: OpenEnum<'no-folder' | 'no-git' | 'no-repository' | 'no-base' | 'failed'>;
	/** Git's own words, if it failed. */
	readonly detail?: string;
};

const maxPaths = 100;

export function folderSummary(diff: WorkingDiff): FolderSummary {
	const {folder, repository, branch, added = 0, removed = 0, hasMoreLines, files = []} = diff;
	const paths = files.slice(0, maxPaths).map(({path}) => path);
	return {
		folder,
		repository,
		branch,
		added,
		removed,
		hasMoreLines,
		paths: paths.length > 0 ? paths : undefined,
	};
}

export function asPatch(files: readonly ChangedFile[]): string {
	return files
		.map(({path, from = path, kind, patch = ''}) => {
			const before = kind === 'added' || kind === 'untracked' ? '/dev/null' : nameInPatch(`a/${from}`);
			const after = kind === 'deleted' ? '/dev/null' : nameInPatch(`b/${path}`);
			return `--- ${before}\n+++ ${after}\n${patch}${patch === '' ? '' : '\n'}`;
		})
		.join('');
}

/** A name with control characters or quotes is quoted, as git does it: it must not look like lines of the patch. */
export function nameInPatch(name: string): string {
	return /[\p{Cc}"\\]/u.test(name) ? JSON.stringify(name) : name;
}
