import {DatabaseSync} from 'node:sqlite';
import type {HookEvent} from '../../src/domain/sessions/signal.ts';
import type {Failures} from './part.ts';
import {isSealed} from './sealed-event.ts';

/** Looks into the file that programs write to, as another process would. */
export class KeptEvents {
	readonly #database: DatabaseSync;

	constructor(file: string) {
		this.#database = new DatabaseSync(file, {readOnly: true, timeout: 5000});
	}

	/** Takes the ids that are kept out of the map, each looked at for bytes that are not its own. */
	settle(pending: Map<string, string>, torn: Failures): void {
		const ids = [...pending.keys()];
		const find = this.#database.prepare(
			'SELECT id, body FROM events WHERE id IN (SELECT value FROM json_each(?))',
		);
		for (const {id, body} of find.all(JSON.stringify(ids)) as {id: string; body: string}[]) {
			const event = pending.get(id);
			pending.delete(id);
			if (!isWhole(id, event, body)) torn.add(`${event} ${id}: ${body}`);
		}
	}

	/** sqlite's own word on the file. */
	integrity(): string {
		return String(this.#database.prepare('PRAGMA integrity_check').get()?.integrity_check);
	}

	close(): void {
		this.#database.close();
	}
}

function isWhole(id: string, event: string | undefined, body: string): boolean {
	try {
		const kept = JSON.parse(body) as HookEvent;
		return kept.id === id && kept.event === event && isSealed(id, kept.data.title);
	} catch {
		return false;
	}
}
