import {fullPath} from '../../actions/read-attachment.ts';
import type {Completion} from '../../state/view/completion.ts';
import {setView, type ViewStore} from '../../state/view/view.ts';
import {type Mention, mentionAt} from '../../text/editor/mention.ts';
import {bestMatches} from '../../text/search/fuzzy.ts';
import type {Parts} from '../use-app.ts';
import {composerAt} from './composers.ts';

/** Maximum number of suggestions offered; the rest are only counted. */
const maxCompletions = 50;
/** A path that starts in the home folder, at the root, or relative to the session's folder. */
const explicitPath = /^(?:~?\/|\.{1,2}\/)/;

export type CompletionParts = Parts<'composers' | 'view' | 'completion'>;

/**
 * Finds files that match the text after an `@` before the cursor, or prompts if the message starts with `/`. Called
 * after every composer change.
 */
export function suggest(parts: CompletionParts, sessionId: string): void {
	const editor = composerAt(parts.composers, sessionId)?.editor;
	if (editor?.text.startsWith('/') && suggestPrompts(parts, sessionId, editor.text)) return;
	const mention = editor && mentionAt(editor.text, editor.cursor);
	if (!editor || !mention) {
		closeCompletion(parts.view);
		return;
	}
	const files = findFiles(parts, sessionId, mention);
	show(parts.view, {sessionId, kind: 'files', start: mention.start, end: editor.cursor, ...files});
}

/** Shows suggestions; the same ones again keep their selection, and stay closed. */
function show(view: ViewStore, next: Omit<Completion, 'selected' | 'isClosed'>): void {
	setView(view, ({completion: before, ...rest}) => {
		const isSame =
			before?.sessionId === next.sessionId && before.kind === next.kind && before.start === next.start;
		const selected = isSame && before.end === next.end ? Math.min(before.selected, next.items.length - 1) : 0;
		return {
			...rest,
			completion: {...next, selected: Math.max(0, selected), isClosed: isSame && before.isClosed},
		};
	});
}

/** A message that calls a prompt: its name and, if any, its arguments. A second slash makes it a path. */
const promptCall = /^\/([^\s/]*)(?:\s([\s\S]*))?$/;

/**
 * The prompts that a message may call: the one named before its arguments, or all while the name is being typed;
 * undefined if it is no call.
 */
export function promptsFor(parts: CompletionParts, sessionId: string, text: string) {
	const call = promptCall.exec(text);
	if (!call) return undefined;
	const onLoaded = () => {
		if (composerAt(parts.composers, sessionId)?.editor.text === text) suggest(parts, sessionId);
	};
	const prompts = parts.completion.promptsOf(sessionId, onLoaded) ?? [];
	const [, name = '', args] = call;
	if (args === undefined) return {prompts, name};
	return {prompts: prompts.filter(prompt => prompt.name === name && !prompt.isCommand), name, args};
}

/** Suggests prompts for a message that starts with `/`; returns whether there are any. */
function suggestPrompts(parts: CompletionParts, sessionId: string, text: string): boolean {
	const found = promptsFor(parts, sessionId, text);
	if (!found || found.prompts.length === 0) return false;
	const byName = new Map(found.prompts.map(prompt => [prompt.name, prompt]));
	const {best, total} = bestMatches(found.name, [...byName.keys()], maxCompletions);
	const items = best.map(({path, matches}) => ({
		path,
		matches,
		detail: byName.get(path)?.description ?? '',
	}));
	show(parts.view, {sessionId, kind: 'prompts', start: 0, end: text.length, items, total});
	return true;
}

export function closeCompletion(view: ViewStore): void {
	if (view.getState().completion) setView(view, ({completion: _, ...rest}) => rest);
}

function findFiles(parts: CompletionParts, sessionId: string, {query}: Mention) {
	const onLoaded = () => {
		const editor = composerAt(parts.composers, sessionId)?.editor;
		const isCurrent = editor && mentionAt(editor.text, editor.cursor)?.query === query;
		if (isCurrent && parts.view.getState().completion?.sessionId === sessionId) suggest(parts, sessionId);
	};
	const folder = parts.completion.folderOf(sessionId);
	const {filesUnder, entriesOf} = parts.completion.files;
	const directory = query.slice(0, query.lastIndexOf('/') + 1);
	const listing = explicitPath.test(query) ? undefined : filesUnder(folder, onLoaded);
	const isIgnored = listing?.ignored.some(one => one.endsWith('/') && directory.startsWith(one));
	if (!isIgnored && !explicitPath.test(query)) {
		const {best, total} = bestMatches(query, listing?.files ?? [], maxCompletions);
		const ignored = bestMatches(query, listing?.ignored ?? [], maxCompletions);
		const items = [...best, ...ignored.best].slice(0, maxCompletions);
		return {items, total: total + ignored.total};
	}
	const entries = entriesOf(fullPath(directory, folder), onLoaded);
	const {best, total} = bestMatches(query.slice(directory.length), entries ?? [], maxCompletions);
	const items = best.map(({path, matches}) => ({
		path: directory + path,
		matches: matches.map(index => index + directory.length),
	}));
	// The folder itself comes last: its name is there already.
	const own = query === directory && entries ? [{path: directory, matches: []}] : [];
	return {items: [...items, ...own], total: total + own.length};
}
