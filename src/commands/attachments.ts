import {AttachmentError, asFile, type ReadAttachment, readAttachment} from '../actions/read-attachment.ts';
import {attachmentLimit} from '../domain/attachment.ts';
import type {FileAttachment, ImageAttachment} from '../domain/message.ts';

/**
 * Reads every attachment of a message before anything is sent. With `sendsPaths` the service also gets the
 * local paths. Throws `AttachmentError`.
 */
export async function readAttachments(
	imagePaths: readonly string[],
	filePaths: readonly string[],
	sendsPaths: boolean,
): Promise<{images: ImageAttachment[]; files: FileAttachment[]}> {
	let room = attachmentLimit;
	const read = async (path: string): Promise<ReadAttachment> => {
		const attachment = await readAttachment(path, room);
		room -= attachment.bytes;
		return attachment;
	};
	const images: ImageAttachment[] = [];
	for (const path of imagePaths) {
		const attachment = await read(path);
		if (attachment.kind !== 'image')
			throw new AttachmentError(`${path} is not an image (png, jpeg, gif, webp): send it with --file`);
		images.push({data: attachment.data});
	}
	const files: FileAttachment[] = [];
	for (const path of filePaths) files.push(asFile(await read(path), sendsPaths));
	return {images, files};
}
