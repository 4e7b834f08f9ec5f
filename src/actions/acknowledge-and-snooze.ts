import {type AttentionMark, type Snooze, snoozeEnd, snoozes} from '../domain/sessions/attention.ts';
import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';
import {strings} from './strings.ts';

/** One period in which a session needs attention (see `episodeOf`). */
type AttentionEpisode = {readonly sessionId: string; readonly episode: string};

/**
 * Marks a session's request for attention as acknowledged until its state changes again. Returns an undo
 * function.
 */
export function acknowledge(context: ActionContext, {sessionId, episode}: AttentionEpisode): () => void {
	const undo = applyMark(context, {sessionId, episode, kind: 'acknowledged', at: context.clock.now()});
	notify(context, 'info', strings.attention.acknowledged(context.keyName('undo')));
	return undo;
}

/** Snoozes a session's request for attention. Returns an undo function. */
export function snooze(
	context: ActionContext,
	{sessionId, episode}: AttentionEpisode,
	length: Snooze,
): () => void {
	const at = context.clock.now();
	const mark: AttentionMark = {sessionId, episode, kind: 'snoozed', at, until: snoozeEnd(length, at)};
	const undo = applyMark(context, mark);
	const title = snoozes.find(({name}) => name === length)?.title ?? length;
	const until = title.startsWith('until') ? title : `for ${title}`;
	notify(context, 'info', strings.attention.snoozed(until, context.keyName('undo')));
	return undo;
}

/** Removes a session's acknowledged or snoozed mark. Returns an undo function. */
export function clearAttentionMark(context: ActionContext, sessionId: string): () => void {
	const before = context.stores.attention.getState().marks.get(sessionId);
	context.engine.clearAttentionMark(sessionId);
	notify(context, 'info', strings.attention.returned(context.keyName('undo')));
	return () => {
		if (before) context.engine.setAttentionMark(before);
	};
}

function applyMark({engine, stores}: ActionContext, mark: AttentionMark): () => void {
	const before = stores.attention.getState().marks.get(mark.sessionId);
	engine.setAttentionMark(mark);
	return () => {
		if (before) engine.setAttentionMark(before);
		else engine.clearAttentionMark(mark.sessionId);
	};
}
