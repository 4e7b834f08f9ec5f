import type {SessionItem} from '../state/sessions/session-items.ts';
import {shortTime} from '../text/values/times.ts';
import type {ActionContext} from './context.ts';
import {sendMessage} from './messages.ts';
import {notify} from './notify.ts';
import {strings} from './strings.ts';

const {continued: text, several} = strings;

/** How long after the end of a usage limit the first session goes on, and each after the one before, ms. */
const stagger = 15_000;
/** How long a session has to begin its turn before it needs the user again, ms. */
const beginsWithin = 60_000;

/**
 * Sends each session whose turn failed what makes it go on. `leftOut` has why of each session that it doesn't. Returns
 * the ids of those that the message was saved for.
 */
export function continueNow(
	context: ActionContext,
	messages: readonly {readonly id: string; readonly words: string}[],
	leftOut: readonly string[],
): readonly string[] {
	const done = messages.filter(({id, words}) =>
		sendMessage(context, id, {text: words, images: [], files: []}),
	);
	if (done.length > 0)
		notify(context, 'info', text.now(done.map(({words}) => words)) + several.leftOut(leftOut));
	return done.map(({id}) => id);
}

/**
 * Tells agents that a usage limit stopped to go on once it ends, one after the other: each message waits in the outbox,
 * and its session is snoozed until then. Returns the ids of the sessions, and an undo function.
 */
export function continueLater(
	context: ActionContext,
	items: readonly Pick<SessionItem, 'id' | 'episode' | 'limitedUntil'>[],
	words: string,
	leftOut: readonly string[],
): {readonly done: readonly string[]; readonly undo: () => void} {
	const {engine, clock} = context;
	const at = clock.now();
	const rows = new Map<string, string>();
	for (const [index, {id, episode, limitedUntil = at}] of items.entries()) {
		const notBefore = limitedUntil + (index + 1) * stagger;
		const row = sendMessage(context, id, {text: words, images: [], files: []}, notBefore);
		if (!row) continue;
		rows.set(id, row.id);
		const subject = {kind: 'session', id} as const;
		const until = notBefore + beginsWithin;
		if (episode !== undefined) engine.attention.put({subject, episode, kind: 'snoozed', at, until});
	}
	const first = shortTime(Math.min(...items.map(({limitedUntil = at}) => limitedUntil)), at);
	const said = text.later(rows.size, first, context.keyName('undo'));
	if (rows.size > 0) notify(context, 'good', said + several.leftOut(leftOut));
	return {
		done: [...rows.keys()],
		undo() {
			for (const [id, row] of rows) {
				engine.outbox.discard(row);
				engine.attention.remove({kind: 'session', id});
			}
		},
	};
}
