import {randomUUID} from 'node:crypto';
import {StringDecoder} from 'node:string_decoder';
import type {MessageRole} from '../../domain/messages/message.ts';
import {thousands} from '../../domain/numbers.ts';
import type {BackgroundContext} from '../context.ts';
import {createGrowingMessages, type GrowingMessage} from '../storage/growing-messages.ts';
import type {OutputSource} from './process-group.ts';

/** Maximum length of one message, in UTF-16 units; longer output continues in a new message. */
const maxMessageLength = 256 * 1024;
/** Maximum saved output of one program, in UTF-16 units: of a longer one, so much of its beginning and of its end. */
const maxOutputLength = 4 * 1024 * 1024;
const maxEndLength = 128 * 1024;

/** Where output goes. `head` is a first line added by the service. */
type OutputTarget = {
	readonly sessionId: string;
	readonly parentId?: string;
	readonly role: MessageRole;
	/** Whether it is shown as it is: what a program that uses a model prints may be Markdown. */
	readonly isOutput: boolean;
	readonly head?: string;
};

type Draft = Omit<GrowingMessage, 'text'> & {text: string};

/** Streams a program's output into messages of a session: the text of one message grows. */
export function createOutputWriter(
	context: Pick<BackgroundContext, 'storage' | 'save'>,
	{sessionId, parentId, role, isOutput, head}: OutputTarget,
) {
	const messages = createGrowingMessages(context, {sessionId, parentId});
	const decoders = {stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8')};
	let message: Draft | undefined;
	let length = 0;
	/** What came beyond the limit: its length, and the end of it. */
	let beyond = 0;
	let lastPart = '';

	const begin = (): Draft => ({id: randomUUID(), role, isOutput, text: ''});
	const append = (text: string) => {
		if (text === '') return;
		const hasRoom = message !== undefined && message.text.length + text.length <= maxMessageLength;
		const current = message && hasRoom ? message : begin();
		message = current;
		current.text += text;
		messages.touch(current);
		if (!hasRoom) messages.tryWrite();
	};
	const save = (text: string) => {
		const room = Math.max(0, maxOutputLength - length);
		const end = cutAt(text, room);
		length += text.length;
		for (let rest = text.slice(0, end); rest !== ''; ) {
			const pieceEnd = cutAt(rest, maxMessageLength);
			append(rest.slice(0, pieceEnd));
			rest = rest.slice(pieceEnd);
		}
		if (end < text.length) keepEnd(text.slice(end));
	};
	/** Puts the newest part of what goes beyond the limit into a last message. */
	const keepEnd = (text: string) => {
		const last = beyond > 0 && message ? message : begin();
		message = last;
		beyond += text.length;
		lastPart = (lastPart + text).slice(-maxEndLength).replace(/^[\udc00-\udfff]/, '');
		const left = beyond - lastPart.length;
		last.text = (left > 0 ? `\n[${thousands(left)} characters left out]\n` : '') + lastPart;
		messages.touch(last);
	};

	if (head !== undefined) append(head);
	return {
		write: (chunk: Buffer, source: OutputSource) => save(decoders[source].write(chunk)),
		/** Saves the remaining output, then the note as the last line, or only the note if there was no output. */
		async end(note: string | undefined, isError: boolean): Promise<void> {
			save(decoders.stdout.end() + decoders.stderr.end());
			if (note !== undefined) append(message && !message.text.endsWith('\n') ? `\n${note}` : note);
			await messages.end(isError ? message : undefined);
		},
	};
}

/** Where to cut a text to at most `length` units without splitting a character. */
function cutAt(text: string, length: number): number {
	if (text.length <= length) return text.length;
	const unit = text.charCodeAt(length - 1);
	return unit >= 0xd800 && unit <= 0xdbff ? length - 1 : length;
}
