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
import {setView} from '../../state/view/view.ts';
import {mentionOf, writtenPath} from '../../text/editor/mention.ts';
import {pastedPath} from '../../text/editor/pasted-path.ts';
import {byteSize} from '../../text/values/numbers.ts';
import type {AppParts, Parts} from '../use-app.ts';
import {type CompletionParts, closeCompletion} from './completions.ts';
import {edit} from './composer-edit.ts';
import {type Composer, composerAt, setComposer} from './composers.ts';
import {strings} from './strings.ts';

/** Attachments in display order: images, then files. */
export function attachmentsOf({images, files}: Pick<Composer, 'images' | 'files'>): AttachmentInfo[] {
	return [...images.map(imageInfo), ...files.map(fileInfo)];
}

export function attachedBytes(composer: Pick<Composer, 'images' | 'files'>): number {
	return attachmentsOf(composer).reduce((sum, {bytes}) => sum + bytes, 0);
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

function addAttachment(
	parts: Parts<'actions' | 'composers' | 'drafts'>,
	sessionId: string,
	attachment: ReadAttachment,
): void {
	const composer = composerAt(parts.composers, sessionId);
	if (!composer) return;
	const {images, files} = composer;
	const isAttached = [...images, ...files].some(
		({data, name}) => data === attachment.data && name === attachment.name,
	);
	if (isAttached) {
		notify(parts.actions, 'info', strings.alreadyAttached(attachment.name));
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
export function removeAttachment(
	parts: Parts<'actions' | 'composers' | 'drafts'>,
	sessionId: string,
	index: number,
): void {
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
	notify(parts.actions, 'info', strings.removed(removed.name));
}

/** Offers to attach an image whose path was just pasted. `start` is the paste's position in the text. */
export async function offerImage(
	parts: CompletionParts,
	sessionId: string,
	pasted: string,
	start: number,
): Promise<void> {
	const path = pastedPath(pasted);
	const image = path && (await peekImage(fullPath(path, parts.completion.folderOf(sessionId))));
	const editor = composerAt(parts.composers, sessionId)?.editor;
	const end = start + pasted.length;
	// The user may have typed since: the path must still be there, with the cursor right after it.
	if (!image || !editor || editor.cursor !== end || editor.text.slice(start, end) !== pasted) return;
	const detail = `${image.type} ${byteSize(image.bytes)}`;
	setView(parts.view, view => ({
		...view,
		completion: {
			sessionId,
			kind: 'image',
			start,
			end,
			items: [{path, matches: [], detail}],
			total: 1,
			selected: 0,
			isClosed: false,
		},
	}));
}

/** Inserts the selected suggestion into the text; with `attaches`, also attaches the file to the message. */
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
	if (attaches && !isFolder) void attachFile(parts, sessionId, path);
}
