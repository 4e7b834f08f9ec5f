import {randomUUID} from 'node:crypto';
import type {StoredItem} from '../local/storage/messages.ts';
import type {Storage} from '../local/storage/open-storage.ts';
import type {Turn} from './beat.ts';

/** Time between two messages of a stored turn, ms. */
const step = 12_000;

/** Stores a turn that ended at a time (Unix ms), as a turn writer does. Returns the ids of its messages. */
export function storeTurn(
	storage: Storage,
	sessionId: string,
	[asked, ...beats]: Turn,
	endedAt: number,
): string[] {
	const ids: string[] = [];
	const contents = beats.flatMap(
		(beat): [role: 'assistant' | 'tool', item: StoredItem, isError?: boolean][] => {
			const id = randomUUID();
			if (typeof beat === 'string') return [['assistant', {type: 'text', id, text: beat}]];
			if ('failure' in beat) return [['assistant', {type: 'text', id, text: beat.failure}, true]];
			if ('thought' in beat) return [['assistant', {type: 'thinking', id, thinking: beat.thought}]];
			if ('ask' in beat) return [];
			const {tool: name, input, result: content, isError = false} = beat;
			return [
				['assistant', {type: 'tool_use', id, name, input}],
				['tool', {type: 'tool_result', id: randomUUID(), tool_use_id: id, content, is_error: isError}],
			];
		},
	);
	const parentId = randomUUID();
	const startedAt = endedAt - contents.length * step;
	storage.messages.add({id: parentId, sessionId, role: 'user', text: asked, at: startedAt});
	ids.push(parentId);
	for (const [index, [role, item, isError = false]] of contents.entries()) {
		const id = randomUUID();
		const text = item.type === 'text' ? item.text : '';
		const at = startedAt + (index + 1) * step;
		storage.messages.add({id, sessionId, parentId, role, text, content: [item], isError, at});
		ids.push(id);
	}
	return ids;
}
