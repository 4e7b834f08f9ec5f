import {notify} from '../../actions/notify.ts';
import {
	AttachmentError,
	asFile,
	asImage,
	checkPlace,
	fullPath,
	peekImage,
	type ReadAttachment,
	readAttachment,
} from '../../actions/read-attachment.ts';
import {type AttachmentInfo, attachmentLimit, fileInfo, imageInfo} from '../../domain/messages/attachment.ts';
import type {Suggestion} from '../../state/view/completion.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle} from '../../text/cells/cut.ts';
import {type Line, lineWidth, type Span, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {mentionOf, writtenPath} from '../../text/editor/mention.ts';
import {pastedPaths} from '../../text/editor/pasted-path.ts';
import {byteSize} from '../../text/values/numbers.ts';
import type {AppParts} from '../use-app.ts';
import {type CompletionParts, closeCompletion} from './completions.ts';
import {edit} from './composer-edit.ts';
import {type Composer, composerAt, setComposer} from './composers.ts';

/** Attachments in display order: images, then files. */
export function attachmentsOf({images, files}: Pick<Composer, 'images' | 'files'>): AttachmentInfo[] {
	return [...images.map(imageInfo), ...files.map(fileInfo)];
}

export function attachedBytes(composer: Pick<Composer, 'images' | 'files'>): number {
	return attachmentsOf(composer).reduce((sum, {bytes}) => sum + bytes, 0);
}

async function attachFiles(parts: AppParts, sessionId: string, paths: readonly string[]): Promise<void> {
	for (const path of paths) await attachFile(parts, sessionId, path);
}

/** Reads a file and attaches it to the composer; reports any failure. */
async function attachFile(parts: AppParts, sessionId: string, path: string): Promise<void> {
	const room = () => {
		const composer = composerAt(parts.composers, sessionId);
		return attachmentLimit - (composer ? attachedBytes(composer) : 0);
	};
	try {
		const folder = parts.completion.folderOf(sessionId);
		const file = fullPath(path, folder);
		await checkPlace(file, folder);
		const attachment = await readAttachment(file, room());
		// Other files may have been attached during the read.
		if (attachment.bytes > room()) await readAttachment(attachment.path, room());
		else addAttachment(parts, sessionId, attachment);
	} catch (error) {
		if (!(error instanceof AttachmentError)) throw error;
		notify(parts.actions, 'bad', error.message);
	}
}

function addAttachment(parts: AppParts, sessionId: string, attachment: ReadAttachment): void {
	const composer = composerAt(parts.composers, sessionId);
	if (!composer) return;
	const {images, files} = composer;
	const isAttached = [...images, ...files].some(
		({data, name}) => data === attachment.data && name === attachment.name,
	);
	if (isAttached) {
		notify(parts.actions, 'info', `${attachment.name} is already attached`);
		return;
	}
	setComposer(parts.composers, sessionId, {
		...composer,
		...(attachment.kind === 'image'
			? {images: [...images, asImage(attachment)]}
			: {files: [...files, asFile(attachment)]}),
	});
	parts.drafts.changed(sessionId);
}

/** Removes the attachment at an index of `attachmentsOf`. */
export function removeAttachment(parts: AppParts, sessionId: string, index: number): void {
	const composer = composerAt(parts.composers, sessionId);
	const removed = composer && attachmentsOf(composer)[index];
	if (!composer || !removed) return;
	const {images, files} = composer;
	setComposer(parts.composers, sessionId, {
		...composer,
		images: images.filter((_, at) => at !== index),
		files: files.filter((_, at) => at + images.length !== index),
	});
	parts.drafts.changed(sessionId);
	notify(parts.actions, 'info', `${removed.name} is no longer attached`);
}

/** Call right after a paste at `start`: offers to attach the images whose paths it has. */
export async function offerImages(
	parts: CompletionParts,
	sessionId: string,
	pasted: string,
	start: number,
): Promise<void> {
	const editor = () => composerAt(parts.composers, sessionId)?.editor;
	const after = editor();
	const items = await imagesIn(pasted, parts.completion.folderOf(sessionId));
	// The user may have typed since.
	if (!items || !after || editor()?.text !== after.text || editor()?.cursor !== after.cursor) return;
	const end = after.cursor;
	setView(parts.view, view => ({
		...view,
		completion: {
			sessionId,
			kind: 'image',
			start,
			end,
			items,
			total: items.length,
			selected: 0,
			isClosed: false,
		},
	}));
}

/** The images that a pasted text names; undefined if it names anything else. */
async function imagesIn(pasted: string, folder: string): Promise<Suggestion[] | undefined> {
	for (const paths of pastedPaths(pasted)) {
		const images = await Promise.all(paths.map(path => peekImage(fullPath(path, folder))));
		const items = paths.flatMap((path, index) => {
			const image = images[index];
			return image ? [{path, matches: [], detail: `${image.type} ${byteSize(image.bytes)}`}] : [];
		});
		if (items.length === paths.length) return items;
	}
	return undefined;
}

/** Inserts the selected suggestion into the text; with `attaches`, also attaches the file, or all pasted images. */
export function acceptSuggestion(parts: AppParts, attaches: boolean): void {
	const {completion} = parts.view.getState();
	const path = completion?.items[completion.selected]?.path;
	if (!completion || path === undefined) return;
	const {sessionId, start, end, kind} = completion;
	const isFolder = path.endsWith('/');
	const typed = composerAt(parts.composers, sessionId)?.editor.text.slice(start, end);
	// A folder whose name is complete already is what is meant, not one of its files.
	const goesOn = isFolder && typed !== mentionOf(path);
	const isShell = parts.stores.fleet.getState().sessions.get(sessionId)?.session?.agent === 'shell';
	closeCompletion(parts.view);
	if (kind === 'files') {
		const text = goesOn ? mentionOf(path) : `${writtenPath(path, isShell)} `;
		edit(parts, sessionId, {type: 'replace', start, end, text});
	}
	// Images that were dropped together are attached together.
	const attached = kind === 'image' ? completion.items.map(item => item.path) : [path];
	if (attaches && !isFolder) void attachFiles(parts, sessionId, attached);
}

const glyphs = {image: safe`▣`, file: safe`≡`} as const;
/** Minimum width of a truncated name, in columns. */
const minNameWidth = 8;

/** Icon, name, type and size of an attachment. `name` is already truncated. */
export function attachmentSpans({kind, type, bytes}: AttachmentInfo, name: Safe): Span[] {
	return [
		span(safe`${glyphs[kind]} `, 'info'),
		span(name),
		span(safe` ${cleanLine(type)} ${byteSize(bytes)}`, 'dim'),
	];
}

/** The attachments that fit in a row, their names truncated as needed, and the count of the others. */
export function attachmentChips(attachments: readonly AttachmentInfo[], width: number): Line {
	for (let count = attachments.length; count > 0; count--) {
		const rest = attachments.length - count;
		const end: Line = rest > 0 ? [span(safe` +${rest}`, 'dim')] : [];
		const shown = attachments.slice(0, count);
		const withoutNames = [...shown.flatMap(one => chip(one, safe``)), ...end];
		const room = Math.floor((width - lineWidth(withoutNames)) / count);
		if (room >= minNameWidth || (count === 1 && room > 0))
			return [...shown.flatMap(one => chip(one, cutMiddle(cleanLine(one.name, 255), room))), ...end];
	}
	return attachments.length > 0 ? [span(safe`${attachments.length} attached`, 'info')] : [];
}

function chip(attachment: AttachmentInfo, name: Safe): Line {
	return [span(safe`[`, 'border'), ...attachmentSpans(attachment, name), span(safe`] `, 'border')];
}
