import {
	type AttentionMark,
	type Snooze,
	type Subject,
	snoozeEnd,
	snoozes,
	subjectKey,
} from '../domain/sessions/attention.ts';
import type {SessionItem} from '../state/session-items.ts';
import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';
import {strings} from './strings.ts';

/** One period in which a session or computer needs attention (see `episodeOf`). */
type AttentionEpisode = {readonly subject: Subject; readonly episode: string};

/**
 * Marks what needs attention as acknowledged until it does so anew. Returns an undo function.
 */
export function acknowledge(context: ActionContext, {subject, episode}: AttentionEpisode): () => void {
	const undo = applyMark(context, {subject, episode, kind: 'acknowledged', at: context.clock.now()});
	const {acknowledged, failureAcknowledged} = strings.attention;
	const text = subject.kind === 'computer' ? failureAcknowledged : acknowledged;
	const markOf = () => context.stores.attention.getState().marks.get(subjectKey(subject));
	notify(context, 'info', text(context.keyName('undo')), {holds: () => markOf()?.episode === episode});
	return undo;
}

/**
 * Acknowledges all sessions that ask for attention; if all of them are acknowledged already, takes that back. Returns
 * the ids of those that it changed, and an undo function.
 */
export function acknowledgeSessions(
	context: ActionContext,
	items: readonly Pick<SessionItem, 'id' | 'episode' | 'mark'>[],
): {readonly done: readonly string[]; readonly undo: () => void} {
	const {several: text} = strings;
	const undoKey = context.keyName('undo');
	const before = context.stores.attention.getState().marks;
	const waiting = items.filter(({episode, mark}) => episode !== undefined && mark?.kind !== 'acknowledged');
	const changed = waiting.length > 0 ? waiting : items.filter(({mark}) => mark !== undefined);
	const at = context.clock.now();
	for (const {id, episode} of changed) {
		const subject = {kind: 'session', id} as const;
		if (waiting.length === 0) context.engine.clearAttentionMark(subject);
		else if (episode !== undefined)
			context.engine.setAttentionMark({subject, episode, kind: 'acknowledged', at});
	}
	const count = changed.length;
	notify(context, 'info', (waiting.length > 0 ? text.acknowledged : text.returned)(count, undoKey));
	return {
		done: changed.map(({id}) => id),
		undo() {
			for (const {id} of changed) {
				const mark = before.get(id);
				if (mark) context.engine.setAttentionMark(mark);
				else context.engine.clearAttentionMark({kind: 'session', id});
			}
		},
	};
}

/** Snoozes what needs attention. Returns an undo function. */
export function snooze(
	context: ActionContext,
	{subject, episode}: AttentionEpisode,
	length: Snooze,
): () => void {
	const at = context.clock.now();
	const mark: AttentionMark = {subject, episode, kind: 'snoozed', at, until: snoozeEnd(length, at)};
	const undo = applyMark(context, mark);
	const title = snoozes.find(({name}) => name === length)?.title ?? length;
	const until = title.startsWith('until') ? title : `for ${title}`;
	notify(context, 'info', strings.attention.snoozed(until, context.keyName('undo')));
	return undo;
}

/** Removes an acknowledged or snoozed mark. Returns an undo function. */
export function clearAttentionMark(context: ActionContext, subject: Subject): () => void {
	const before = context.stores.attention.getState().marks.get(subjectKey(subject));
	context.engine.clearAttentionMark(subject);
	notify(context, 'info', strings.attention.returned(context.keyName('undo')));
	return () => {
		if (before) context.engine.setAttentionMark(before);
	};
}

function applyMark({engine, stores}: ActionContext, mark: AttentionMark): () => void {
	const before = stores.attention.getState().marks.get(subjectKey(mark.subject));
	engine.setAttentionMark(mark);
	return () => {
		if (before) engine.setAttentionMark(before);
		else engine.clearAttentionMark(mark.subject);
	};
}
