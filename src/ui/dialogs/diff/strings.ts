import {type Safe, safe} from '../../../text/cells/safe.ts';

/** Texts of a session's changes, and of the forms that commit them and open a pull request. */
export const strings = {
	since: (base: Safe, commits = 0) =>
		commits === 0
			? safe`Changes since ${base}`
			: safe`Changes since ${base} and ${commits} ${commits === 1 ? safe`commit` : safe`commits`}`,
	reading: safe`Reading the folder…`,
	problems: {
		'no-folder': safe`The folder of this session is gone.`,
		'no-git': safe`Changes can't be shown: git isn't installed.`,
		'no-repository': safe`The folder of this session is not in a git repository: there are no changes to show.`,
		'no-base': safe`No base branch to compare with: no other main or master, here or on a remote.`,
		failed: safe`Git can't read this repository:`,
	},
	kinds: {
		added: safe`new`,
		untracked: safe`new, untracked`,
		deleted: safe`deleted`,
		modified: safe``,
		renamed: safe`renamed`,
		conflict: safe`in conflict`,
	},
	letters: {
		added: safe`A`,
		untracked: safe`?`,
		deleted: safe`D`,
		modified: safe`M`,
		renamed: safe`R`,
		conflict: safe`!`,
	},
	leftOut: (count: number) =>
		count === 1 ? safe`1 more file is not listed.` : safe`${count} more files are not listed.`,
	found: (at: number | undefined, count: number) => {
		if (count === 0) return safe`not found`;
		return at === undefined ? safe`${count} lines` : safe`${at} of ${count}`;
	},
	comments: (count: number, hidden: number) => {
		const all = count === 1 ? safe`1 comment` : safe`${count} comments`;
		if (hidden === 0) return all;
		const where = hidden === 1 ? safe`on a line that isn't shown` : safe`on lines that aren't shown`;
		return hidden === count ? safe`${all} ${where}` : safe`${all}, ${hidden} of them ${where}`;
	},
	removes: (key: Safe, count: number) =>
		count === 1 ? safe`${key} removes it` : safe`${key} removes the first`,
	commit: {
		form: (files: number, leftOut: number, branch = '') => ({
			title: `Commit ${leftOut > 0 ? `${files - leftOut} of ` : ''}${files === 1 ? '1 file' : `${files} files`}${branch === '' ? '' : ` to ${branch}`}`,
			submit: 'Commit',
			busy: 'committing',
		}),
	},
};
