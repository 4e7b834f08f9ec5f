import type {Suggestion} from '../../../state/view/completion.ts';
import {newSessionDraft} from '../../../state/view/dialogs.ts';
import {setView} from '../../../state/view/view.ts';
import {editorText} from '../../../text/editor/editor.ts';
import {createEditor} from '../../../text/editor/editor-state.ts';
import {bestMatches} from '../../../text/search/fuzzy.ts';
import {closeCompletion} from '../../composer/completions.ts';
import {bindingsIn} from '../../keys/binding.ts';
import {knownFolders} from '../../open-session.ts';
import type {AppParts} from '../../use-app.ts';
import {topDialog} from '../list-layer.ts';
import {change, hasAgents, movePart, type NewSessionState, usualComputer} from './new-session-state.ts';

const maxListed = 50;

/** Lists the known folders and repositories, or for a path the folders in its folder, that match the words. */
export function listFolders(parts: AppParts, words: string): void {
	const dialog = folderDialog(parts);
	if (!dialog) return;
	const arrived = () => {
		const {completion} = parts.view.getState();
		if (isListed(parts) && completion === shown) listFolders(parts, words);
	};
	const shown = {
		sessionId: newSessionDraft,
		kind: 'folders',
		start: 0,
		end: dialog.folder.text.length,
		...matching(parts, dialog, words, arrived),
		selected: 0,
		isClosed: false,
	} as const;
	setView(parts.view, view => ({...view, completion: shown}));
}

/** After a change of the folder: lists those that match, if folders are listed; else only reads them, for Tab. */
export function updateFolders(parts: AppParts): void {
	const dialog = folderDialog(parts);
	if (!dialog) return;
	if (isListed(parts)) listFolders(parts, editorText(dialog.folder));
	else completions(parts, dialog);
}

/** What the typed folder may be; nothing once it is whole. */
function completions(parts: AppParts, dialog: NewSessionState): Matching {
	const typed = dialog.isFolderEdited ? editorText(dialog.folder) : '';
	if (typed === '') return nothing;
	// The footer says what Tab does.
	const arrived = () => setView(parts.view, view => ({...view}));
	const found = matching(parts, dialog, typed, arrived);
	return found.items[0]?.path === typed ? nothing : found;
}

export function canCompleteFolder(parts: AppParts): boolean {
	const dialog = folderDialog(parts);
	return dialog !== undefined && !isListed(parts) && completions(parts, dialog).total > 0;
}

/** Completes what was typed, or lists what it may be; with nothing to complete, goes to the next part. */
export function completeFolder(parts: AppParts): void {
	const dialog = folderDialog(parts);
	const {items, total} = dialog ? completions(parts, dialog) : nothing;
	const [first] = items;
	if (!dialog || !first) movePart(parts, 1);
	else if (total === 1) setFolder(parts, first.path);
	else listFolders(parts, editorText(dialog.folder));
}

type Matching = {readonly items: readonly Suggestion[]; readonly total: number};
const nothing: Matching = {items: [], total: 0};

/** The folders that match the words. `arrived` is called when more are read. */
function matching(
	parts: AppParts,
	{computerId = usualComputer(parts)}: NewSessionState,
	words: string,
	arrived: () => void,
): Matching {
	if (computerId === undefined) return nothing;
	// Only the embedded service can be asked.
	const find = (folder?: string) =>
		hasAgents(parts.profile) ? (parts.completion.foldersOn(computerId, folder, arrived) ?? []) : [];
	const nameStart = words.lastIndexOf('/') + 1;
	if (nameStart === 0 || !hasAgents(parts.profile)) {
		const all = [...new Set([...knownFolders(parts, computerId), ...find()])];
		// Without words, those known come first.
		if (words === '')
			return {items: all.slice(0, maxListed).map(path => ({path, matches: []})), total: all.length};
		const {best, total} = bestMatches(words, all, maxListed);
		return {items: best, total};
	}
	const name = words.slice(nameStart);
	const names = find(words.slice(0, nameStart)).filter(one => name.startsWith('.') || !one.startsWith('.'));
	const {best, total} = bestMatches(name, names, maxListed);
	const items = best.map(({path, matches}) => ({
		path: words.slice(0, nameStart) + path,
		matches: matches.map(index => index + nameStart),
	}));
	return {items, total};
}

function setFolder(parts: AppParts, folder: string): void {
	closeCompletion(parts.view);
	change(parts.view, now => ({...now, folder: createEditor(folder), isFolderEdited: true}));
}

/** The dialog while its folder has the keys. */
function folderDialog({view}: AppParts): NewSessionState | undefined {
	const dialog = topDialog(view.getState(), 'new-session');
	return dialog?.part === 'folder' && !dialog.isBusy ? dialog : undefined;
}

function isListed({view}: AppParts): boolean {
	const {completion} = view.getState();
	return completion?.kind === 'folders' && !completion.isClosed;
}

export const folderBindings = bindingsIn({contexts: ['folders'], isPaletteHidden: true}, [
	{
		action: 'use-folder',
		keys: ['enter', 'tab'],
		title: 'Use the folder',
		hint: 'use',
		run(parts) {
			const {completion} = parts.view.getState();
			const path = completion?.items[completion.selected]?.path;
			if (path !== undefined) setFolder(parts, path);
		},
	},
]);
