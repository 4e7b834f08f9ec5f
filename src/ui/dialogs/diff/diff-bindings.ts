import {nextOfRepository} from '../../../state/sessions/shared-files.ts';
import type {View} from '../../../state/view/view.ts';
import {bindingsIn, type Enabled, type Now} from '../../keys/binding.ts';
import {allOf} from '../../keys/reasons.ts';
import type {AppParts} from '../../use-app.ts';
import type {DialogOf} from '../dialog-module.ts';
import {openForm} from '../form/open-form.ts';
import {changeDialog, topDialog} from '../list-layer.ts';
import {askToRemoveComment, beginComment, keepComment, writeMessage} from './comment-keys.ts';
import {commentsOf, runsMessages} from './diff-comments.ts';
import {diffProblems} from './diff-document.ts';
import {commitForm, pullRequestForm} from './diff-forms.ts';
import {
	copyChanges,
	fileAtCursor,
	goToFile,
	goToMatch,
	goToNextSession,
	refreshDiff,
	scrollColumns,
	toggleBase,
	toggleFile,
} from './diff-keys.ts';

/** Whether a file has changed, as far as the changes were read. */
const hasChanges = ({view}: Now): boolean => (topDialog(view, 'diff')?.diff?.files ?? []).length > 0;

const takesComments = ({parts, view}: Now): Enabled =>
	!runsMessages(parts, topDialog(view, 'diff')?.sessionId ?? '') ||
	"This session runs messages as commands: comments can't be sent to it.";

const hasComments = ({parts, view}: Now): Enabled =>
	commentsOf(parts.composers, topDialog(view, 'diff')?.sessionId ?? '').length > 0 ||
	'There are no comments: {comment} writes one on the line at the cursor.';

const canSendComments = allOf(takesComments, hasComments);

/** For keys that the footer offers only while there are changes to see. */
const ifChanged = {hintNow: (now: Now) => (hasChanges(now) ? undefined : '')};

/** A reason that follows from the changes: nothing can be said of them before they are read. */
const onceRead =
	(
		action: 'comment' | 'commit-changes' | 'leave-out' | 'next-file' | 'pull-request',
		check: (dialog: DialogOf<'diff'>) => Enabled,
	) =>
	({view}: Now): Enabled => {
		const dialog = topDialog(view, 'diff');
		if (dialog && !dialog.diff && dialog.isReading)
			return `The folder is still being read: press {${action}} again when its changes are shown.`;
		return dialog === undefined || check(dialog);
	};

const canCommit = onceRead('commit-changes', ({diff, isSinceBase, except}) => {
	if (isSinceBase) return 'Only uncommitted changes can be committed: {since-base} shows them.';
	if (!diff || diff.problem !== undefined) return 'No changes are shown: there is nothing to commit.';
	const hasFiles = diff.id !== undefined && (diff.files ?? []).length > 0;
	if (!hasFiles) return 'Nothing has changed: there is nothing to commit.';
	const count = (diff.files ?? []).length + (diff.leftOut ?? 0);
	return except.length < count || 'All files are left out: {leave-out} takes one back in.';
});

const canOpenPullRequest = onceRead('pull-request', ({diff}) => {
	if (!diff?.hasPullRequests)
		return "Opening a pull request needs gh, GitHub's own program, which isn't installed.";
	return diff.branch !== undefined || 'No branch is checked out here.';
});

/** Does something with the open changes. */
const onDiff = (run: (parts: AppParts, dialog: DialogOf<'diff'>) => void) => (parts: AppParts) => {
	const dialog = topDialog(parts.view.getState(), 'diff');
	if (dialog) run(parts, dialog);
};

const hasNextSession = ({stores}: AppParts, view: View): boolean =>
	nextOfRepository(stores.fleet.getState().sessions, topDialog(view, 'diff')?.sessionId ?? '') !== undefined;

export const diffBindings = bindingsIn({contexts: ['diff'], isPaletteHidden: true}, [
	{
		action: 'comment',
		keys: ['enter'],
		title: 'Comment on the line or file at the cursor, or change the comment there',
		hint: 'comment',
		...ifChanged,
		isEnabled: onceRead('comment', () => true),
		run: onDiff(beginComment),
	},
	{
		action: 'commit-changes',
		keys: ['c'],
		title: 'Commit all changes but those left out, with a message',
		hint: 'commit',
		isEnabled: canCommit,
		run: onDiff((parts, {sessionId, diff, except}) => {
			const {id, files = [], leftOut = 0, branch} = diff ?? {};
			if (id === undefined) return;
			const count = files.length + leftOut;
			const without = except.filter(path => files.some(file => file.path === path));
			openForm(parts, commitForm({sessionId, diffId: id, files: count, except: without, branch}));
		}),
	},
	{
		action: 'leave-out',
		keys: ['space'],
		title: 'Leave the file out of the commit, or take it back in',
		hint: 'leave out',
		hintNow(now) {
			const dialog = topDialog(now.view, 'diff');
			if (!dialog || !hasChanges(now) || dialog.isSinceBase) return '';
			const path = fileAtCursor(now.parts, dialog, now.layout)?.path;
			return path !== undefined && dialog.except.includes(path) ? 'take back in' : undefined;
		},
		isEnabled: onceRead(
			'leave-out',
			({isSinceBase}) =>
				!isSinceBase || 'Only uncommitted changes can be committed: {since-base} shows them.',
		),
		run: onDiff(toggleFile),
	},
	{
		action: 'comments-message',
		keys: ['m'],
		title: 'Put all comments into a message to the agent, to look at and send',
		hint: 'comments into the message',
		isEnabled: canSendComments,
		run: onDiff(writeMessage),
	},
	{
		action: 'next-session',
		keys: ['s'],
		title: 'Compare: changes of the next session in this repository',
		hint: 'next session',
		hintNow: ({parts, view}) => (hasNextSession(parts, view) ? undefined : ''),
		isEnabled: ({parts, view}) =>
			hasNextSession(parts, view) || 'No other session has a folder of its own in this repository.',
		run: onDiff(goToNextSession),
	},
	{
		action: 'since-base',
		keys: ['b'],
		title: 'Everything since the base branch, or only what is uncommitted',
		hint: 'since the base branch',
		hintNow: ({view}) => (topDialog(view, 'diff')?.isSinceBase ? 'uncommitted changes' : undefined),
		isEnabled({view}) {
			const {problem, hasNoBase} = topDialog(view, 'diff')?.diff ?? {};
			if (problem !== undefined && problem !== 'no-base')
				return 'No changes are shown: there is nothing to compare.';
			return !hasNoBase || diffProblems['no-base'];
		},
		run: onDiff(toggleBase),
	},
	{
		action: 'copy',
		keys: ['y'],
		title: "Copy the file's changes",
		hint: 'copy file',
		...ifChanged,
		run: onDiff((parts, dialog) => copyChanges(parts, dialog, false)),
	},
	{
		action: 'find',
		keys: ['/'],
		title: 'Find words in the changes',
		hint: 'find',
		...ifChanged,
		run: parts =>
			changeDialog(parts.view, 'diff', now => ({
				...now,
				find: {words: now.find?.words ?? '', isTyping: true},
			})),
	},
	{
		action: 'next-file',
		keys: ['tab', ']'],
		title: 'Next file',
		hint: 'next file',
		...ifChanged,
		isEnabled: onceRead('next-file', () => true),
		run: onDiff((parts, dialog) => goToFile(parts, dialog, 1)),
	},
	{
		action: 'previous-file',
		keys: ['shift+tab', '['],
		title: 'Previous file',
		run: onDiff((parts, dialog) => goToFile(parts, dialog, -1)),
	},
	{
		action: 'refresh',
		keys: ['r'],
		title: 'Read the folder again',
		hint: 'refresh',
		run: onDiff(refreshDiff),
	},
	{
		action: 'scroll-left',
		keys: ['left', 'h'],
		title: 'Scroll to the left',
		run: parts => scrollColumns(parts, -1),
	},
	{
		action: 'scroll-right',
		keys: ['right', 'l'],
		title: 'Scroll to the right, for long lines',
		run: parts => scrollColumns(parts, 1),
	},
	{
		action: 'remove-comment',
		keys: ['x'],
		title: "Remove the comment at the cursor, or one whose line isn't shown",
		run: onDiff(askToRemoveComment),
	},
	{
		action: 'find-next',
		keys: ['n'],
		title: 'Next match',
		run: parts => goToMatch(parts, 1),
	},
	{
		action: 'find-previous',
		keys: ['N'],
		title: 'Previous match',
		run: parts => goToMatch(parts, -1),
	},
	{
		action: 'copy-all',
		keys: ['Y'],
		title: 'Copy all changes',
		run: onDiff((parts, dialog) => copyChanges(parts, dialog, true)),
	},
	{
		action: 'pull-request',
		keys: ['p'],
		title: 'Push the branch and open a pull request with gh',
		isEnabled: canOpenPullRequest,
		run: onDiff((parts, {sessionId, diff}) => {
			if (diff?.branch !== undefined) openForm(parts, pullRequestForm(sessionId, diff.branch));
		}),
	},
]);

export const commentBindings = bindingsIn({contexts: ['comment'], isPaletteHidden: true}, [
	{
		action: 'keep-comment',
		keys: ['enter', 'escape'],
		title: 'Keep the comment; an empty one is discarded',
		hint: 'keep',
		isWayOut: true,
		run: keepComment,
	},
]);
