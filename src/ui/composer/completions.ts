import {fullPath} from '../../actions/read-attachment.ts';
import type {Completion, Suggestion} from '../../state/completion.ts';
import {type Mention, mentionAt} from '../../text/editor/mention.ts';
import {bestMatches} from '../../text/search/fuzzy.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';

/** Maximum number of suggestions offered; the rest are only counted. */
const maxCompletions = 50;
/** A path that names its location: in the home folder, from the root, or relative to the folder. */
const located = /^(?:~?\/|\.{1,2}\/)/;

/** Finds files that match the text after an `@` before the cursor. Called after every composer change. */
export function suggest(parts: AppParts, sessionId: string): void {
	const {composers, view} = parts;
	const editor = composers.getState().bySession.get(sessionId)?.editor;
	const before = view.getState().completion;
	const mention = editor && mentionAt(editor.text, editor.cursor);
	if (!editor || !mention) {
		if (before) closeCompletion(parts);
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

export function closeCompletion({view}: AppParts): void {
	setView(view, ({completion: _, ...rest}) => rest);
}

function find(
	parts: AppParts,
	sessionId: string,
	{query}: Mention,
): {readonly items: readonly Suggestion[]; readonly total: number} {
	const again = () => refreshed(parts, sessionId, query);
	const folder = parts.folderOf(sessionId);
	const directory = located.test(query) ? query.slice(0, query.lastIndexOf('/') + 1) : '';
	const paths =
		directory === ''
			? parts.files.filesUnder(folder, again)
			: parts.files.entriesOf(fullPath(directory, folder), again);
	const {best, total} = bestMatches(query.slice(directory.length), paths ?? [], maxCompletions);
	const items = best.map(({path, matches}) => ({
		path: directory + path,
		matches: matches.map(index => index + directory.length),
	}));
	return {items, total};
}

/** Shows a new listing if the query is still current. */
function refreshed(parts: AppParts, sessionId: string, query: string): void {
	const editor = parts.composers.getState().bySession.get(sessionId)?.editor;
	const mention = editor && mentionAt(editor.text, editor.cursor);
	if (mention?.query === query && parts.view.getState().completion?.sessionId === sessionId)
		suggest(parts, sessionId);
}
