import {commitChanges, openPullRequest} from '../../../actions/work-folder.ts';
import type {AppParts} from '../../use-app.ts';
import type {Form} from '../form/form.ts';
import {ifBlank} from '../form/form-checks.ts';
import {strings as text} from './strings.ts';

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
	({actions}: AppParts): Form => ({
		...text.commit.form(files, except.length, branch),
		keptAs: `commit ${sessionId}`,
		fields: () => [
			{name: 'message', ...text.commit.message, start: '', check: ifBlank(text.commit.noMessage)},
			{name: 'more', ...text.commit.more, start: ''},
		],
		run({message, more}) {
			const whole = [message, more].flatMap(words => words?.trim() || []).join('\n\n');
			return commitChanges(actions, sessionId, {
				diffId,
				message: whole,
				except: except.length > 0 ? except : undefined,
			});
		},
	});

export const pullRequestForm =
	(sessionId: string, branch: string) =>
	({actions}: AppParts): Form => ({
		...text.pullRequest.form(branch),
		keptAs: `pull-request ${sessionId}`,
		fields: () => [
			{
				name: 'title',
				...text.pullRequest.title,
				start: '',
				check: ifBlank(text.pullRequest.noTitle),
				maxLength: 250,
			},
			{name: 'body', ...text.pullRequest.body, start: ''},
		],
		run: ({title = '', body = ''}) => openPullRequest(actions, sessionId, {title: title.trim(), body}),
	});
