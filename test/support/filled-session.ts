import {onTestFinished} from 'vitest';
import {type MessageRole, messageRoles} from '../../src/domain/messages/message.ts';
import {openStorage} from '../../src/local/storage/open-storage.ts';

/** A session of the embedded service whose messages a test writes by itself. */
export type FilledSession = {
	readonly id: string;
	/** Who wrote each message, oldest first. */
	readonly roles: Map<string, MessageRole>;
	add(role: MessageRole, text?: string): string;
	/**
	 * Adds `count` messages, with these roles in turn; by default, each user message is followed by tool and assistant
	 * messages.
	 */
	fill(count: number, turn?: readonly MessageRole[]): void;
};

/** `startedAt` Unix ms: when its first message was written; the others follow a second apart. */
export function openFilledSession(folder: string, id: string, startedAt: number): FilledSession {
	const storage = openStorage(folder);
	onTestFinished(() => storage.close());
	const roles = new Map<string, MessageRole>();
	const put = (role: MessageRole, text: string, at: number) => {
		const message = `${id}-${roles.size}`;
		storage.messages.add({id: message, sessionId: id, role, text, at});
		roles.set(message, role);
		return message;
	};
	return {
		id,
		roles,
		add: (role, text = role) => storage.transaction(() => put(role, text, Date.now())),
		fill(count, turn) {
			storage.transaction(() => {
				for (let number = 0; number < count; number++) {
					const role = turn?.[number % turn.length] ?? usualRole(number);
					put(role, `${number} ${role}`, startedAt + number * 1000);
				}
			});
		},
	};
}

function usualRole(number: number): MessageRole {
	return messageRoles[number % 10 === 0 ? 0 : number % 3 === 0 ? 2 : 1] ?? 'user';
}
