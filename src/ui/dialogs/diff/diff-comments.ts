import {type ChangedFile, nameInPatch} from '../../../domain/sessions/work-folder.ts';
import {type Safe, safe} from '../../../text/cells/safe.ts';
import {languageOf, patchLines} from '../../../text/messages/patch-lines.ts';
import {appendToDraft} from '../../composer/composer-edit.ts';
import {
	type ComposerStore,
	commentId,
	commentsIn,
	composerAt,
	composerOf,
	draftOf,
	setComposer,
} from '../../composer/composers.ts';
import type {AppParts} from '../../use-app.ts';

/** What a comment is on: a line of code, or without `code` a file. Raw. */
export type CommentPlace = {
	readonly path: string;
	readonly code?: string;
	/** Of the line in the new file, or in the old one if it is removed. */
	readonly number?: number;
	readonly isRemoved?: boolean;
};

export type LineComment = {
	/** Its words are the draft with this id, which no session has: they are stored as they are typed. */
	readonly id: string;
	readonly place: CommentPlace;
	readonly words: string;
};

/** Longest code that a comment quotes, UTF-16 units. */
const maxCode = 300;

/** The comments on a session's changes that aren't in a message yet, in the order of the files' lines. */
export function commentsOf(composers: ComposerStore, sessionId: string): readonly LineComment[] {
	const comments = commentsIn(composers, sessionId).map(({id, place}): LineComment => {
		const composer = composerAt(composers, id);
		return {id, place: place as CommentPlace, words: composer ? draftOf(composer).text.trim() : ''};
	});
	return comments.filter(({words}) => words !== '').sort((a, b) => compare(a.place, b.place));
}

function compare(a: CommentPlace, b: CommentPlace): number {
	if (a.path !== b.path) return a.path < b.path ? -1 : 1;
	return (a.number ?? 0) - (b.number ?? 0);
}

/** Whether the session is a shell, which would run the lines that comments quote. */
export function runsMessages({stores}: AppParts, sessionId: string): boolean {
	return stores.fleet.getState().sessions.get(sessionId)?.session?.agent === 'shell';
}

export function loadComments({composers, drafts}: AppParts, sessionId: string): void {
	for (const {id} of commentsIn(composers, sessionId)) drafts.open(id, () => []);
}

/** Opens the draft of a new comment, and returns its id. */
export function openComment({drafts}: AppParts, sessionId: string, place: CommentPlace): string {
	const id = commentId(sessionId, place);
	drafts.open(id, () => []);
	return id;
}

export function removeComment({composers, drafts}: AppParts, id: string): void {
	setComposer(composers, id, composerOf(undefined, []));
	drafts.changed(id);
	drafts.flush();
}

/** Moves all comments into the session's composer, below what is written there. */
export function moveToComposer(parts: AppParts, sessionId: string): void {
	const comments = commentsOf(parts.composers, sessionId);
	// The message is stored before the comments are removed.
	appendToDraft(parts, sessionId, messageOf(comments), 'insert');
	parts.drafts.flush();
	for (const {id} of comments) removeComment(parts, id);
}

/** The place of a line of a file's patch, or of the file if the index is -1; undefined between hunks. */
export function placeOf(file: ChangedFile, index: number): CommentPlace | undefined {
	const {path} = file;
	if (index < 0) return {path};
	const {number, text, sign} = patchLines(file)[index] ?? {};
	if (number === undefined || text === undefined) return undefined;
	const code = text.replace(/\u240d$/, '').slice(0, maxCode);
	return {path, number, code, isRemoved: sign === '-' || undefined};
}

/** The index of the line that a comment is on, -1 for the file: the nearest with its code. */
export function lineOf(file: ChangedFile, place: CommentPlace): number | undefined {
	if (place.code === undefined) return -1;
	let nearest: number | undefined;
	let distance = Number.POSITIVE_INFINITY;
	for (const index of patchLines(file).keys()) {
		const other = placeOf(file, index);
		if (!other || !isSame(other, place)) continue;
		const away = Math.abs((other.number ?? 0) - (place.number ?? 0));
		if (away < distance) [nearest, distance] = [index, away];
	}
	return nearest;
}

/** Whether both are on the same code, or both on the file. */
function isSame(a: CommentPlace, b: CommentPlace): boolean {
	return a.path === b.path && a.code === b.code && a.isRemoved === b.isRemoved;
}

/** How many comments there are, and how many of them on lines that aren't shown. */
export function commentsText(count: number, hidden: number): Safe {
	const all = count === 1 ? safe`1 comment` : safe`${count} comments`;
	if (hidden === 0) return all;
	const where = hidden === 1 ? safe`on a line that isn't shown` : safe`on lines that aren't shown`;
	return hidden === count ? safe`${all} ${where}` : safe`${all}, ${hidden} of them ${where}`;
}

/** Comments as a message: where each is, the line of code, and its words. */
export function messageOf(comments: readonly LineComment[]): string {
	return comments
		.map(({place: {path, code, number, isRemoved}, words}) => {
			if (code === undefined) return `${nameInPatch(path)}\n${words}\n`;
			const ticks = [...code.matchAll(/`+/g)].map(([run]) => run.length);
			const fence = '`'.repeat(Math.max(3, ...ticks.map(count => count + 1)));
			const where = `${nameInPatch(path)}:${number}${isRemoved ? ' (removed)' : ''}`;
			return `${where}\n${fence}${languageOf(path)}\n${code}\n${fence}\n${words}\n`;
		})
		.join('\n');
}
