import {fullPath} from '../../actions/read-attachment.ts';
import type {Completion, Suggestion} from '../../state/completion.ts';
import type {ViewStore} from '../../state/view.ts';
import {type Mention, mentionAt} from '../../text/editor/mention.ts';
import {bestMatches} from '../../text/search/fuzzy.ts';
import {setView} from '../set-view.ts';
import type {Parts} from '../use-app.ts';

/** Maximum number of suggestions offered; the rest are only counted. */
const maxCompletions = 50;
/** A path that names its location: in the home folder, from the root, or relative to the folder. */
const located = /^(?:~?\/|\.{1,2}\/)/;

export type CompletionParts = Parts<'composers' | 'view' | 'completion'>;

/**
 * Finds files that match the text after an `@` before the cursor, or prompts if the message starts with `/`. Called
 * after every composer change.
 */
export function suggest(parts: CompletionParts, sessionId: string): void {
	const {composers, view} = parts;
	const editor = composers.getState().bySession.get(sessionId)?.editor;
	const before = view.getState().completion;
	if (editor?.text.startsWith('/') && suggestPrompts(parts, sessionId, editor.text)) return;
	const mention = editor && mentionAt(editor.text, editor.cursor);
	if (!editor || !mention) {
		if (before) closeCompletion(parts.view);
		return;
	}
	const found = find(parts, sessionId, mention);
	const isSame = before?.sessionId === sessionId && before.kind === 'files' && before.start === mention.start;
	const completion: Completion = {
		sessionId,
		kind: 'files',
		start: mention.start,
		end: editor.cursor,
		...found,
		selected: isSame && before.end === editor.cursor ? Math.min(before.selected, found.items.length - 1) : 0,
		isClosed: isSame && before.isClosed,
	};
	setView(view, now => ({...now, completion}));
}

/** A message that names a prompt, and perhaps its arguments. A path has another slash. */
const promptCall = /^\/([^\s/]*)(?:\s([\s\S]*))?$/;

/** The prompt that a message calls with arguments, or all whose names match; undefined if it is no such message. */
export function promptsFor(parts: CompletionParts, sessionId: string, text: string) {
	const call = promptCall.exec(text);
	if (!call) return undefined;
	const arrived = () => {
		const editor = parts.composers.getState().bySession.get(sessionId)?.editor;
		if (editor?.text === text) suggest(parts, sessionId);
	};
	const prompts = parts.completion.promptsOf(sessionId, arrived) ?? [];
	const [, name = '', given] = call;
	if (given === undefined) return {prompts, name};
	return {prompts: prompts.filter(prompt => prompt.name === name), name, given};
}

/** Suggests prompts for a message that starts with `/`; returns whether there are any. */
function suggestPrompts(parts: CompletionParts, sessionId: string, text: string): boolean {
	const found = promptsFor(parts, sessionId, text);
	if (!found || found.prompts.length === 0) return false;
	const byName = new Map(found.prompts.map(prompt => [prompt.name, prompt]));
	const {best, total} = bestMatches(found.name, [...byName.keys()], maxCompletions);
	const before = parts.view.getState().completion;
	const isSame = before?.sessionId === sessionId && before.kind === 'prompts';
	const completion: Completion = {
		sessionId,
		kind: 'prompts',
		start: 0,
		end: text.length,
		items: best.map(({path, matches}) => ({path, matches, detail: byName.get(path)?.description ?? ''})),
		total,
		selected: isSame && before.end === text.length ? Math.min(before.selected, best.length - 1) : 0,
		isClosed: isSame && before.isClosed,
	};
	setView(parts.view, now => ({...now, completion}));
	return true;
}

export function closeCompletion(view: ViewStore): void {
	setView(view, ({completion: _, ...rest}) => rest);
}

function find(
	parts: CompletionParts,
	sessionId: string,
	{query}: Mention,
): {readonly items: readonly Suggestion[]; readonly total: number} {
	const again = () => refreshed(parts, sessionId, query);
	const folder = parts.completion.folderOf(sessionId);
	const directory = located.test(query) ? query.slice(0, query.lastIndexOf('/') + 1) : '';
	const paths =
		directory === ''
			? parts.completion.files.filesUnder(folder, again)
			: parts.completion.files.entriesOf(fullPath(directory, folder), again);
	const {best, total} = bestMatches(query.slice(directory.length), paths ?? [], maxCompletions);
	const items = best.map(({path, matches}) => ({
		path: directory + path,
		matches: matches.map(index => index + directory.length),
	}));
	return {items, total};
}

/** Shows a new listing if the query is still current. */
function refreshed(parts: CompletionParts, sessionId: string, query: string): void {
	const editor = parts.composers.getState().bySession.get(sessionId)?.editor;
	const mention = editor && mentionAt(editor.text, editor.cursor);
	if (mention?.query === query && parts.view.getState().completion?.sessionId === sessionId)
		suggest(parts, sessionId);
}
