import type {Database} from '../../db/database.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import {isTurnRunning, type SessionItem, withTurn} from '../../state/sessions/session-items.ts';
import {isUnsure} from '../../state/sessions/session-state.ts';
import {MessageWindow} from '../../sync/messages/message-window.ts';
import type {CommandContext} from '../cli/context.ts';
import {readUntil} from '../sessions/sessions-wait.ts';

/** Messages that answer one of ours. `isAssumed`: only silence shows that there are no more. */
type Answer = {readonly items: readonly TimelineItem[]; readonly isAssumed: boolean};

/** How many messages to load from before ours: which parents they have shows what `parentId` means. */
const before = 100;

/**
 * Waits for the answer to a message: the messages after it, up to the user's next one, once no turn of the session runs.
 */
export function waitForAnswer(
	context: CommandContext,
	sessionId: string,
	messageId: string,
): Promise<Answer> {
	const check = (item: SessionItem, database: Database) => {
		const items = isTurnRunning(item) ? [] : savedAnswer(database, sessionId, messageId);
		const isAssumed = isUnsure(withTurn(item), context.clock.now());
		return items.length === 0 ? undefined : {items, isAssumed};
	};
	// The message has just been accepted.
	return readUntil(context, sessionId, check, true);
}

function savedAnswer(database: Database, sessionId: string, messageId: string) {
	const since = database.messages.from(sessionId, Number.MAX_SAFE_INTEGER, messageId);
	const window = new MessageWindow(sessionId, database, write => write());
	window.loadCached(since.length + before);
	return answerTo(messageId, window.timeline.items(), window.hasOlder);
}

/**
 * What follows a message, up to where the user or the answer to another message goes on: messages that waited for
 * their turn stand before the answers. `hasOlder`: the items don't begin with the session's first message.
 */
export function answerTo(
	messageId: string,
	all: readonly TimelineItem[],
	hasOlder: boolean,
): readonly TimelineItem[] {
	// One that still waits for its turn may stand amid the answer.
	const items = all.filter(({message}) => !message.isWaiting);
	const users = items.filter(({role}) => role === 'user').map(({id}) => id);
	const isFirstAnswered = namesAnswered(messageId, items) || hasOlder;
	const others = new Set(users.slice(isFirstAnswered ? 0 : 1).filter(id => id !== messageId));
	const isOther = ({role, message: {parentId = ''}}: TimelineItem) => role === 'user' || others.has(parentId);
	const index = items.findIndex(({id}) => id === messageId);
	const after = index < 0 ? [] : items.slice(index + 1);
	const start = after.findIndex(item => !isOther(item));
	const later = start < 0 ? [] : after.slice(start);
	const end = later.findIndex(isOther);
	return end < 0 ? later : later.slice(0, end);
}

/**
 * Whether a `parentId` that names the first message means an answer to it. The contract leaves that open: it may mean no
 * more than the thread. It counts once a message names this one, or if the service tells turns apart.
 */
function namesAnswered(messageId: string, items: readonly TimelineItem[]): boolean {
	return items.some(
		({id, message}) =>
			message.parentId === messageId || (id === messageId && message.isWaiting !== undefined),
	);
}
