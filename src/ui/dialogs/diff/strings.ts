import {type Safe, safe} from '../../../text/cells/safe.ts';

/** Texts of a session's changes, and of the forms that commit them and open a pull request. */
export const strings = {
	title: safe`Changes`,
	since: (base: Safe, commits = 0) =>
		commits === 0
			? safe`Changes since ${base}`
			: safe`Changes since ${base} and ${commits} ${commits === 1 ? safe`commit` : safe`commits`}`,
	reading: safe`Reading the folder…`,
	nothing: safe`Nothing has changed since the last commit.`,
	nothingSinceBase: safe`Nothing has changed since the base branch.`,
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
	isLeftOut: safe`left out of the commit`,
	binary: safe`A binary file: its changes can't be shown.`,
	binaryShort: safe`binary`,
	cut: safe`Too large: the rest of this file is not shown.`,
	notShown: safe`Too large: the changes of this file are not shown.`,
	noLines: safe`No line has changed.`,
	empty: safe`An empty file.`,
	leftOut: (count: number) =>
		count === 1 ? safe`1 more file is not listed.` : safe`${count} more files are not listed.`,
	findHint: safe`type words to find in the changes`,
	found: (at: number | undefined, count: number) => {
		if (count === 0) return safe`not found`;
		return at === undefined ? safe`${count} lines` : safe`${at} of ${count}`;
	},
	commentOn: (place: Safe) => safe`Comment on ${place}`,
	keep: (keys: Safe) => safe`${keys} keeps it; an empty one is discarded`,
	comments: (count: number, hidden: number) => {
		const all = count === 1 ? safe`1 comment` : safe`${count} comments`;
		if (hidden === 0) return all;
		const where = hidden === 1 ? safe`on a line that isn't shown` : safe`on lines that aren't shown`;
		return hidden === count ? safe`${all} ${where}` : safe`${all}, ${hidden} of them ${where}`;
	},
	removes: (key: Safe, count: number) =>
		count === 1 ? safe`${key} removes it` : safe`${key} removes the first`,
	notSendable: "This session runs messages as commands: comments can't be sent to it.",
	onlyHere: safe`can't be sent: the shell would run it`,
	noPlace: 'Move the cursor to a line of code or to a file to comment on it.',
	noComment: 'No comment is at the cursor.',
	removeComment: 'Remove this comment?',
	fileCopied: (path: string) => `the changes of ${path}`,
	allCopied: 'all changes',
	commit: {
		form: (files: number, leftOut: number, branch = '') => ({
			title: `Commit ${leftOut > 0 ? `${files - leftOut} of ` : ''}${files === 1 ? '1 file' : `${files} files`}${branch === '' ? '' : ` to ${branch}`}`,
			submit: 'Commit',
			busy: 'committing',
		}),
		message: {label: 'Message', hint: "what changed, in one line; git's hooks are skipped"},
		more: {label: 'Details', hint: 'a paragraph below it; optional'},
		noMessage: 'Write what changed',
	},
	pullRequest: {
		form: (branch: string) => ({
			title: `Push ${branch} and open a pull request`,
			submit: 'Open',
			busy: 'pushing, and asking GitHub',
		}),
		title: {label: 'Title', hint: 'what to merge, in one line'},
		body: {label: 'Description', hint: 'why; optional'},
		noTitle: 'Write a title',
	},
};
