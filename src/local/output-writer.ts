import {randomUUID} from 'node:crypto';
import {StringDecoder} from 'node:string_decoder';
import type {MessageRole} from '../domain/message.ts';
import type {OutputSource} from './process-group.ts';
import type {Storage} from './storage/open-storage.ts';

/** Longest text of one message, in UTF-16 units; what follows goes on in a new message. */
const longestMessage = 256 * 1024;
/** Most that is kept of one program's output, in UTF-16 units. */
const longestOutput = 4 * 1024 * 1024;
/** How often a message that grows is written, ms. */
const beat = 80;

/** Puts a program's output into messages of a session as it comes: the text of one message grows. */
export type OutputWriter = {
	write(chunk: Buffer, source: OutputSource): void;
	/** Writes what is left, and a last line of our own. Without any output the note is all there is. */
	end(note: string | undefined, isError: boolean): void;
};

export function createOutputWriter(
	storage: Storage,
	to: {
		readonly sessionId: string;
		readonly parentId?: string;
		readonly role: MessageRole;
		readonly head?: string;
	},
): OutputWriter {
	const decoders = {stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8')};
	let message: {id: string; text: string} | undefined;
	let isDirty = false;
	let kept = 0;
	let timer: NodeJS.Timeout | undefined;

	const flush = (isError = false) => {
		clearTimeout(timer);
		timer = undefined;
		if (message && (isDirty || isError))
			storage.messages.setText(message.id, message.text, isError, Date.now());
		isDirty = false;
	};
	const flushSoon = () => {
		try {
			flush();
		} catch {
			// A full disk, perhaps for a moment only: tried again at the next beat.
			isDirty = true;
		}
	};
	const begin = (text: string) => {
		message = {id: randomUUID(), text};
		storage.transaction(() =>
			storage.messages.add({
				id: message?.id ?? '',
				sessionId: to.sessionId,
				role: to.role,
				parentId: to.parentId,
				contentId: randomUUID(),
				text,
				at: Date.now(),
			}),
		);
	};
	const append = (text: string) => {
		if (text === '') return;
		if (message && message.text.length + text.length > longestMessage) {
			flush();
			message = undefined;
		}
		if (!message) return begin(text);
		message.text += text;
		isDirty = true;
		timer ??= setTimeout(flushSoon, beat);
	};
	const keep = (text: string) => {
		const room = longestOutput - kept;
		kept += text.length;
		if (room > 0) append(text.slice(0, room));
		if (room > 0 && text.length > room) append('\n[the rest of the output is left out: it is over 4 MiB]\n');
	};

	if (to.head !== undefined) append(to.head);
	return {
		write: (chunk, source) => keep(decoders[source].write(chunk)),
		end(note, isError) {
			keep(decoders.stdout.end() + decoders.stderr.end());
			if (note !== undefined) append(message && !message.text.endsWith('\n') ? `\n${note}` : note);
			flush(isError);
		},
	};
}
