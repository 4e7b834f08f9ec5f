import {commitChanges, openPullRequest} from '../../../actions/work-folder.ts';
import type {AppParts} from '../../use-app.ts';
import type {Form} from '../form/form.ts';
import {ifBlank} from '../form/form-checks.ts';

type Commit = {
	readonly sessionId: string;
	readonly diffId: string;
	/** How many files have changed, and those of them to be left out. */
	readonly files: number;
	readonly except: readonly string[];
	readonly branch?: string | undefined;
};

/** Commits the changes that were shown, but for the files that are left out. */
export const commitForm =
	({sessionId, diffId, files, except, branch}: Commit) =>
	({actions}: AppParts): Form => {
		const count = files === 1 ? '1 file' : `${files} files`;
		const shown = except.length > 0 ? `${files - except.length} of ${count}` : count;
		return {
			title: `Commit ${shown}${branch ? ` to ${branch}` : ''}`,
			submit: 'Commit',
			busy: 'committing',
			keptAs: `commit ${sessionId}`,
			fields: () => [
				{
					name: 'message',
					label: 'Message',
					hint: "what changed, in one line; git's hooks are skipped",
					start: '',
					check: ifBlank('Write what changed'),
				},
				{name: 'more', label: 'Details', hint: 'a paragraph below it; optional', start: ''},
			],
			run({message, more}) {
				const whole = [message, more].flatMap(words => words?.trim() || []).join('\n\n');
				return commitChanges(actions, sessionId, {
					diffId,
					message: whole,
					except: except.length > 0 ? except : undefined,
				});
			},
		};
	};

export const pullRequestForm =
	(sessionId: string, branch: string) =>
	({actions}: AppParts): Form => ({
		title: `Push ${branch} and open a pull request`,
		submit: 'Open',
		busy: 'pushing, and asking GitHub',
		keptAs: `pull-request ${sessionId}`,
		fields: () => [
			{
				name: 'title',
				label: 'Title',
				hint: 'what to merge, in one line',
				start: '',
				check: ifBlank('Write a title'),
				maxLength: 250,
			},
			{name: 'body', label: 'Description', hint: 'why; optional', start: ''},
		],
		run: ({title = '', body = ''}) => openPullRequest(actions, sessionId, {title: title.trim(), body}),
	});
