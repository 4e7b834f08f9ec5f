import {isServiceError} from '../api/errors.ts';
import {isArchived} from '../domain/known.ts';
import type {SessionTag} from '../domain/sessions/session.ts';
import {withoutChange, withTags} from '../domain/sessions/session-settings.ts';
import {isTurnRunning, type SessionItem} from '../state/sessions/session-items.ts';
import {shortTime} from '../text/values/times.ts';
import type {ActionContext, Draft} from './context.ts';
import {patchSession, readTags} from './fleet.ts';
import {isSending, sendMessage} from './messages.ts';
import {notify} from './notify.ts';
import {strings} from './strings.ts';

const {several: text, continued} = strings;

type Target = Pick<SessionItem, 'id' | 'name'>;

/** Result of an action on several sessions. `why` is a sentence for the user. */
type SeveralReport = {
	/** Ids of the sessions for which it succeeded. */
	readonly done: readonly string[];
	readonly failed: readonly {readonly id: string; readonly name: string; readonly why: string}[];
};

const maxRequests = 4;

/**
 * Archives sessions by setting `archivedAt` in their settings: they leave the lists and are no longer polled. Those
 * outside the service can't be. `undo` is as `restoreSessions`.
 */
export async function archiveSessions(
	context: ActionContext,
	items: readonly SessionItem[],
): Promise<SeveralReport & {readonly undo: () => Promise<boolean>}> {
	const targets = items.filter(({known, client}) => client === undefined && !isArchived(known));
	const leftOut = items
		.filter(item => !targets.includes(item))
		.map(({client}) => (client === undefined ? text.why.archived : text.why.outside));
	const archivedAt = new Date(context.clock.now()).toISOString();
	const report = await forEach(targets, async ({id}) => void (await patchSession(context, id, {archivedAt})));
	// A session that waits for its computer has no agent yet.
	const running = targets.filter(item => isTurnRunning(item) && item.state !== 'pending').length;
	const words = text.archived(context.keyName('undo'), {running, isForGood: !context.engine.isEmbedded});
	notifyReport(context, report, words, leftOut);
	return {...report, undo: () => restoreSessions(context, report.done)};
}

/**
 * Shows archived sessions in the lists again. The embedded service clears `archivedAt`; by the contract, it can only be
 * set: at any other service, they are restored on this machine only. False if it failed for any.
 */
export async function restoreSessions(
	context: ActionContext,
	ids: readonly string[],
	leftOut: readonly string[] = [],
): Promise<boolean> {
	const {stores, engine} = context;
	const {sessions} = stores.fleet.getState();
	const targets = ids.flatMap(id => {
		const archivedAt = sessions.get(id)?.session?.sessionSettings?.archivedAt;
		return archivedAt ? [{id, name: id, archivedAt}] : [];
	});
	if (targets.length === 0) return true;
	const report = await forEach(targets, async ({id, archivedAt}) => {
		if (engine.isEmbedded) await patchSession(context, id, {archivedAt: ''});
		else engine.registry.markSession(id, {restored: archivedAt});
		engine.refresh(id);
	});
	const words = text.restored(context.keyName('archive'), !engine.isEmbedded);
	notifyReport(context, report, words, leftOut);
	return report.failed.length === 0;
}

/**
 * Adds and removes tags of sessions. Tags are sent as a whole list, so each session is read first: the list known
 * here may lack tags that someone else added. `undo` says so if it fails for any, and then returns false.
 */
export async function tagSessions(
	context: ActionContext,
	targets: readonly Target[],
	change: {readonly add: readonly string[]; readonly remove: readonly string[]},
	leftOut: readonly string[] = [],
): Promise<SeveralReport & {readonly changed: readonly string[]; readonly undo: () => Promise<boolean>}> {
	const changes = new Map<Target, {before: readonly SessionTag[]; after: readonly SessionTag[]}>();
	const report = await forEach(targets, async target => {
		const before = await readTags(context, target.id);
		const after = withTags(before, change);
		if (!after) return;
		await patchSession(context, target.id, {tags: after});
		changes.set(target, {before, after});
	});
	const undoKey = changes.size > 0 ? context.keyName('undo') : undefined;
	notifyReport(context, report, text.tagged(undoKey), leftOut);
	const changed = targets.filter(target => changes.has(target));
	return {
		...report,
		changed: changed.map(({id}) => id),
		async undo() {
			const undone = await forEach(changed, async target => {
				const own = changes.get(target);
				if (!own) return;
				const tags = withoutChange(await readTags(context, target.id), own);
				await patchSession(context, target.id, {tags});
			});
			if (undone.failed.length > 0) notifyReport(context, undone, text.tagged(undefined));
			return undone.failed.length === 0;
		},
	};
}

/**
 * Sends one message to sessions, each by its own row of the outbox. Returns the ids of these rows by session, and the
 * sessions that it could not be saved for.
 */
export function sendToSessions(
	context: ActionContext,
	sessionIds: readonly string[],
	draft: Draft,
): {readonly queued: ReadonlyMap<string, string>; readonly failed: readonly string[]} {
	const queued = new Map<string, string>();
	const failed: string[] = [];
	for (const id of sessionIds) {
		const item = sendMessage(context, id, draft);
		if (item) queued.set(id, item.id);
		else failed.push(id);
	}
	return {queued, failed};
}

/** Runs a request for each target, a few at once. Rethrows errors that aren't `ServiceError`s: those are bugs. */
async function forEach<T extends Target>(
	targets: readonly T[],
	run: (target: T) => Promise<void>,
): Promise<SeveralReport> {
	const problems = new Map<string, string>();
	const left = [...targets];
	async function work(): Promise<void> {
		for (let target = left.shift(); target; target = left.shift()) {
			try {
				await run(target);
			} catch (error) {
				if (!isServiceError(error)) throw error;
				problems.set(target.id, error.what);
			}
		}
	}
	await Promise.all(Array.from({length: maxRequests}, work));
	return {
		done: targets.flatMap(({id}) => (problems.has(id) ? [] : [id])),
		failed: targets.flatMap(({id, name}) => {
			const why = problems.get(id);
			return why === undefined ? [] : [{id, name, why}];
		}),
	};
}

function notifyReport(
	context: ActionContext,
	{done, failed}: SeveralReport,
	texts: {
		readonly all: (count: number) => string;
		readonly some: (done: number, count: number) => string;
		/** Begins with `; `, or is empty. */
		readonly undo: (count: number) => string;
	},
	leftOut: readonly string[] = [],
): void {
	const {length: count} = done;
	const end = (count > 0 ? texts.undo(count) : '') + text.leftOut(leftOut);
	if (failed.length === 0) notify(context, 'good', texts.all(count) + end);
	else notify(context, 'bad', `${texts.some(count, count + failed.length)}; ${failureText(failed)}${end}`);
}

/** `fix-login: The service refused it.; api: …`, of at most a few. */
export function failureText(failed: SeveralReport['failed']): string {
	const shown = failed.slice(0, maxFailures).map(({name, why}) => `${name}: ${why.replace(/\.$/, '')}`);
	const rest = failed.length - shown.length;
	return [...shown, ...(rest > 0 ? [text.moreFailed(rest)] : [])].join('; ');
}

const maxFailures = 3;

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
	const sent = messages.flatMap(
		({id, words}) => sendMessage(context, id, {text: words, images: [], files: []}) ?? [],
	);
	const words = continued.now(sent.map(item => item.text)) + text.leftOut(leftOut);
	if (sent.length > 0) notify(context, 'info', words, {isCurrent: () => isSending(context, sent)});
	return sent.map(({sessionId}) => sessionId);
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
	const said = continued.later(rows.size, first, context.keyName('undo'));
	if (rows.size > 0) notify(context, 'good', said + text.leftOut(leftOut));
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
