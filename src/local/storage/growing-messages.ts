import type {BackgroundContext} from '../context.ts';
import type {NewMessage} from './messages.ts';

/** How often growing messages are written, ms. */
const writeInterval = 80;

/** A message whose text, or content, may still grow. */
export type GrowingMessage = Pick<NewMessage, 'id' | 'role' | 'text' | 'content' | 'isOutput'>;

/** Writes messages while they grow, in the order in which they began. What a full disk doesn't take is tried again. */
export function createGrowingMessages(
	{storage, save}: Pick<BackgroundContext, 'storage' | 'save'>,
	place: Pick<NewMessage, 'sessionId' | 'parentId'>,
) {
	const stored = new Set<string>();
	const changed = new Set<GrowingMessage>();
	let timer: NodeJS.Timeout | undefined;

	const write = (message: GrowingMessage, isError = false) => {
		const {id, role, text, content, isOutput} = message;
		if (stored.has(id)) storage.messages.update(id, {text, content, isError});
		else
			storage.transaction(() => storage.messages.add({...place, id, role, text, content, isOutput, isError}));
		stored.add(id);
		changed.delete(message);
	};
	const writeAll = () => {
		clearTimeout(timer);
		timer = undefined;
		for (const message of changed) write(message);
	};
	/** Writes now what has changed, if the disk allows. */
	const tryWrite = () => {
		try {
			writeAll();
		} catch {
			// The disk may be full only temporarily.
		}
	};
	return {
		tryWrite,
		/** The message has changed, and is written soon. */
		touch(message: GrowingMessage): void {
			changed.add(message);
			timer ??= setTimeout(tryWrite, writeInterval);
		},
		/** Writes what is left, and marks `failed` as an error. */
		end: (failed: GrowingMessage | undefined): Promise<void> =>
			save(() => {
				writeAll();
				if (failed) write(failed, true);
			}),
	};
}
