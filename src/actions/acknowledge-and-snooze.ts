import {type Snooze, type Subject, snoozeEnd, snoozes, subjectKey} from '../domain/sessions/attention.ts';
import type {SessionItem} from '../state/sessions/session-items.ts';
import type {SessionState} from '../state/sessions/session-state.ts';
import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';
import {strings} from './strings.ts';

/** One period in which a session or computer needs attention (see `episodeOf`). */
type AttentionEpisode = {readonly subject: Subject; readonly episode: string};

/** Acknowledges items until they need the user again. Returns an undo function. */
export function acknowledge(
	context: ActionContext,
	{subject, episode}: AttentionEpisode,
	state: SessionState | undefined,
): () => void {
	const undo = restorerOf(context, subject);
	context.engine.attention.put({subject, episode, kind: 'acknowledged', at: context.clock.now()});
	const {acknowledged, questionAcknowledged, failureAcknowledged} = strings.attention;
	const sessionText = isQuestion(state) ? questionAcknowledged : acknowledged;
	const text = subject.kind === 'computer' ? failureAcknowledged : sessionText;
	const markOf = () => context.stores.attention.getState().marks.get(subjectKey(subject));
	notify(context, 'info', text(context.keyName('undo')), {isCurrent: () => markOf()?.episode === episode});
	return undo;
}

/**
 * Acknowledges the sessions that need attention; if all of them are acknowledged already, clears that. Returns the ids
 * of those that changed, and an undo function.
 */
export function acknowledgeSessions(
	context: ActionContext,
	items: readonly Pick<SessionItem, 'id' | 'episode' | 'mark' | 'state'>[],
): {readonly done: readonly string[]; readonly isReturn: boolean; readonly undo: () => void} {
	const {several: text} = strings;
	const undoKey = context.keyName('undo');
	const waiting = items.filter(({episode, mark}) => episode !== undefined && mark?.kind !== 'acknowledged');
	const changed = waiting.length > 0 ? waiting : items.filter(({mark}) => mark !== undefined);
	const restorers = changed.map(({id}) => restorerOf(context, {kind: 'session', id}));
	const at = context.clock.now();
	for (const {id, episode} of changed) {
		const subject = {kind: 'session', id} as const;
		if (waiting.length === 0) context.engine.attention.remove(subject);
		else if (episode !== undefined)
			context.engine.attention.put({subject, episode, kind: 'acknowledged', at});
	}
	const count = changed.length;
	const areQuestions = waiting.every(({state}) => isQuestion(state));
	const acknowledged = areQuestions ? text.questionsAcknowledged : text.acknowledged;
	const said = (waiting.length > 0 ? acknowledged : text.returned)(count, undoKey);
	const leftOut = Array<string>(items.length - count).fill(text.why.needsNothing);
	notify(context, 'info', said + text.leftOut(leftOut));
	return {
		done: changed.map(({id}) => id),
		isReturn: waiting.length === 0,
		undo() {
			for (const restore of restorers) restore();
		},
	};
}

/** Whether the session waits for an answer: it then needs the user again when it asks again. */
const isQuestion = (state: SessionState | undefined) => state === 'permission' || state === 'input';

/** Snoozes items that need the user. Returns an undo function. */
export function snooze(
	context: ActionContext,
	{subject, episode}: AttentionEpisode,
	length: Snooze,
): () => void {
	const at = context.clock.now();
	const undo = restorerOf(context, subject);
	context.engine.attention.put({subject, episode, kind: 'snoozed', at, until: snoozeEnd(length, at)});
	const title = snoozes.find(({name}) => name === length)?.title ?? length;
	const until = title.startsWith('until') ? title : `for ${title}`;
	notify(context, 'info', `Snoozed: out of Needs you ${until}; ${context.keyName('undo')} undoes this`);
	return undo;
}

/** Removes an acknowledged or snoozed mark. Returns an undo function. */
export function clearAttentionMark(context: ActionContext, subject: Subject): () => void {
	const undo = restorerOf(context, subject);
	context.engine.attention.remove(subject);
	notify(context, 'info', `Back in Needs you; ${context.keyName('undo')} undoes this`);
	return undo;
}

/** Returns a function that restores the mark that a session or computer has now, or that it has none. */
function restorerOf({engine, stores}: ActionContext, subject: Subject): () => void {
	const mark = stores.attention.getState().marks.get(subjectKey(subject));
	return () => {
		if (mark) engine.attention.put(mark);
		else engine.attention.remove(subject);
	};
}
