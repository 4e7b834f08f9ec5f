import {createListBudget} from '../../domain/list-budget.ts';
import type {MessageRole} from '../../domain/messages/message.ts';
import {type Lines, TranscriptFile} from './transcript-file.ts';
import {entryOf, type TranscriptEntry} from './transcript-window.ts';

/** Reads a transcript's messages for a command, from the end. Every read may throw `TranscriptError`. */
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
	newest(count: number): readonly TranscriptEntry[] {
		const budget = createListBudget();
		const found: TranscriptEntry[] = [];
		for (let start = this.#end; start > 0 && found.length < count && !this.#isCut; ) {
			const lines = this.#file.before(start);
			start = lines.start;
			for (const entry of this.#entriesOf(lines).reverse()) {
				if (found.length >= count) break;
				if (budget.take(entry.message)) found.push(entry);
				else this.#isCut = true;
			}
		}
		return found.reverse();
	}

	/** Returns the messages written since the last read; all of the file if it was replaced. */
	poll(): readonly TranscriptEntry[] {
		if (!this.#file.update()) {
			this.#file.close();
			this.#file = new TranscriptFile(this.#file.path);
			this.#end = 0;
		}
		const found: TranscriptEntry[] = [];
		while (this.#end < this.#file.end) {
			const lines = this.#file.from(this.#end);
			this.#end = Math.max(lines.end, this.#end + 1);
			found.push(...this.#entriesOf(lines));
		}
		return found;
	}

	close(): void {
		this.#file.close();
	}

	#entriesOf({lines}: Lines): TranscriptEntry[] {
		return lines.flatMap(line => {
			const entry = entryOf(line);
			if (entry === 'unreadable') this.#unreadable++;
			else if (entry && (this.#role === undefined || entry.role === this.#role)) return [entry];
			return [];
		});
	}
}
