import {createListBudget} from '../domain/list-budget.ts';
import type {MessageRole} from '../domain/messages/message.ts';
import type {TimelineItem} from '../domain/messages/timeline.ts';
import {type Lines, TranscriptFile} from './transcript-file.ts';
import {messageIn} from './transcript-line.ts';

/** Reads a transcript's messages from the end. Every read may throw `TranscriptError`. */
export class TranscriptMessages {
	readonly #role: MessageRole | undefined;
	#file: TranscriptFile;
	#end: number;
	#unreadable = 0;
	#isCut = false;

	/** `role`: reads only messages with this role. */
	constructor(path: string, role: MessageRole | undefined) {
		this.#role = role;
		this.#file = new TranscriptFile(path);
		this.#end = this.#file.end;
	}

	/** Number of lines so far that could not be read. */
	get unreadable(): number {
		return this.#unreadable;
	}

	/** Whether older messages were left out, as memory was full. */
	get isCut(): boolean {
		return this.#isCut;
	}

	/** Returns the newest `count` messages, oldest first. */
	newest(count: number): readonly TimelineItem[] {
		const budget = createListBudget();
		const found: TimelineItem[] = [];
		for (let start = this.#end; start > 0 && found.length < count && !this.#isCut; ) {
			const lines = this.#file.before(start);
			start = lines.start;
			for (const read of this.#messagesOf(lines).reverse()) {
				if (found.length >= count) break;
				if (budget.take(read.message)) found.push(read);
				else this.#isCut = true;
			}
		}
		return found.reverse();
	}

	/** Returns the messages written since the last read; all of the file if it was replaced. */
	poll(): readonly TimelineItem[] {
		if (!this.#file.update()) {
			this.#file.close();
			this.#file = new TranscriptFile(this.#file.path);
			this.#end = 0;
		}
		const found: TimelineItem[] = [];
		while (this.#end < this.#file.end) {
			const lines = this.#file.from(this.#end);
			this.#end = Math.max(lines.end, this.#end + 1);
			found.push(...this.#messagesOf(lines));
		}
		return found;
	}

	close(): void {
		this.#file.close();
	}

	#messagesOf({lines}: Lines): TimelineItem[] {
		return lines.flatMap(line => {
			const read = messageIn(line);
			if (read === 'unreadable') this.#unreadable++;
			else if (read && (this.#role === undefined || read.role === this.#role)) return [read];
			return [];
		});
	}
}
