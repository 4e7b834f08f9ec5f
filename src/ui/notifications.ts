import type {NotificationFacts, NotifyCommand} from '../actions/user-programs.ts';
import {type Median, troubleOf} from '../domain/computers/provisioning.ts';
import {isWatched} from '../domain/known.ts';
import {maskText} from '../domain/masking.ts';
import type {SessionActivity} from '../domain/sessions/activity.ts';
import {isQuiet, type QuietHours, type Subject, subjectKey} from '../domain/sessions/attention.ts';
import {eventTime, type HookUpdate, needsUser} from '../domain/sessions/signal.ts';
import type {Fleet} from '../state/fleet.ts';
import {isWaiting, itemAt, type NeedsItem} from '../state/lists/lists.ts';
import type {Outbox} from '../state/stores.ts';
import type {Terminal} from '../term/terminal.ts';
import type {TimeSource} from './kit/ticker.ts';
import {strings} from './strings.ts';
import {type ListParts, unfilteredNow} from './use-lists.ts';

const words = strings.notifications;

/** Notifies a user who may be looking elsewhere, by the terminal's notification or bell and a count in its title. */
export type Notifications = {
	/** Notifies for each alert of a hook event. */
	hookUpdate(update: HookUpdate): void;
	/** Notifies of a session or computer that was snoozed and still needs the user. */
	snoozeEnded(subject: Subject): void;
	stop(): void;
};

type NotificationOptions = ListParts & {
	readonly terminal: Pick<Terminal, 'notify' | 'setTitle'>;
	/** Whether the session or computer is visible in a focused terminal; then no notification is needed. */
	readonly isSeen: (subject: Subject) => boolean;
	/** When only the count is updated and no notification is sent. */
	readonly quietHours?: QuietHours | undefined;
	readonly notifiesWhenDone?: boolean;
	/** The user's own program: told of each session and computer, also of those that share a notification. */
	readonly runCommand?: NotifyCommand | undefined;
	readonly clock: TimeSource;
	/** Usual durations of provisioning steps. */
	readonly median?: Median;
};

/** A hook event and a message this close together report the same turn, ms. */
const sameTurnWithin = 10_000;

/** Sessions that are read for the first time within this time share a notification, ms. */
const firstReadPause = 10_000;

/** Maximum names in a merged notification: the terminal shows a line or two. */
const maxNames = 5;

export function createNotifications(options: NotificationOptions): Notifications {
	const {stores, terminal, isSeen, quietHours, notifiesWhenDone, runCommand, clock} = options;
	const {median = () => undefined} = options;

	const unfiltered = () => unfilteredNow(options);

	const itemOf = ({kind, id}: Subject) =>
		itemAt(unfiltered().all, kind === 'session' ? {sessionId: id} : {computerId: id});
	const nameOf = (subject: Subject) => itemOf(subject)?.name ?? 'An agent';
	const isWanted = (subject: Subject) =>
		!isSeen(subject) && !(quietHours && isQuiet(quietHours, clock.now()));

	/** Those that wait for the end of a pause, the newest of each subject; undefined without a pause. */
	let waiting: Map<string, UserNotification> | undefined;
	let cancel = () => {};

	/**
	 * The first one after a pause is delivered at once; a burst of requests notifies once more, and none is lost. Doesn't
	 * read the clock, so clock changes can't delay a notification.
	 */
	function send(one: UserNotification): void {
		if (!isWanted(one.subject)) return;
		const key = subjectKey(one.subject);
		waiting?.delete(key);
		if (waiting) waiting.set(key, one);
		else deliver([one]);
	}

	/** Whether its subject still needs the user, or is still done; so does an unknown session. */
	function isDue({subject, needsUser}: UserNotification): boolean {
		const item = itemOf(subject);
		const isUnchanged = item === undefined || (needsUser ? isWaiting(item) : !isWorking(item));
		return isUnchanged && isWanted(subject);
	}

	function deliver(due: readonly UserNotification[]): void {
		const [first] = due;
		if (!first) return;
		waiting ??= new Map();
		cancel();
		cancel = clock.after(pauseAfterNotification, () => {
			const next = [...(waiting?.values() ?? [])].filter(isDue);
			waiting = undefined;
			deliver(next);
		});
		if (runCommand) for (const one of due) runCommand(factsOf(one));
		if (due.length === 1) terminal.notify(`${nameOf(first.subject)} ${first.what}`, maskText(first.words));
		else terminal.notify(countOf(due), namesOf(due));
	}

	function factsOf({subject, what, words: text}: UserNotification): NotificationFacts {
		const item = itemOf(subject);
		const computer = item?.kind === 'session' ? item.computerName : item?.name;
		return {
			sessionId: subject.kind === 'session' ? subject.id : '',
			title: nameOf(subject),
			reason: `${what}: ${text}`,
			computer: computer ?? '',
		};
	}

	/**
	 * Counts all agents and computers that need the user now, so that no notification hides an earlier one, and
	 * agents done since.
	 */
	function countOf(due: readonly UserNotification[]): string {
		const asking = due.filter(({needsUser}) => needsUser);
		const done = due.length - asking.length;
		if (asking.length === 0) return `${done} agents are done`;
		const {needs} = unfiltered().all;
		const count = (kind: Subject['kind']) =>
			Math.max(
				needs.filter(item => item.kind === kind).length,
				asking.filter(({subject}) => subject.kind === kind).length,
			);
		const text = words.needYou(count('session'), count('computer'));
		return done > 0 ? `${text}, ${done} done` : text;
	}

	function namesOf(due: readonly UserNotification[]): string {
		const names = due.slice(0, maxNames).map(({subject}) => nameOf(subject));
		const more = due.length - names.length;
		return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
	}

	let counted: number | undefined;
	function count(): void {
		const {needs} = unfiltered().counts;
		if (needs === counted) return;
		counted = needs;
		terminal.setTitle(needs > 0 ? `(${needs}) quarterdeck` : 'quarterdeck');
	}

	/** The newest message that the user was notified of, and the time of the last alert by a hook, by session. */
	const notifiedOf = new Map<string, string>();
	const hookAlertAt = new Map<string, number>();

	/** Skips events from before the start: an earlier run has notified of them. */
	function skipEarlierRuns(before: Fleet, after: Fleet): void {
		if (before.sessions.size + before.signals.size > 0) return;
		for (const {id, activity} of after.sessions.values()) {
			const isReported = activity?.state === 'done' ? notifiesWhenDone : activity?.state !== 'working';
			if (activity && activity.unread > 0 && isReported) notifiedOf.set(id, activity.newestId);
		}
		for (const {sessionId, state, lastEventAt} of after.signals.values()) {
			const isReported = state === 'done' ? notifiesWhenDone : needsUser(state);
			if (isReported) hookAlertAt.set(sessionId, lastEventAt);
		}
	}

	/** What needed the user in sessions and computers when they were first read. */
	let firstReads: readonly UserNotification[] = [];
	let cancelFirstReads = () => {};

	function notifyOfFirstRead(sessionId: string, activity: SessionActivity, fleet: Fleet): void {
		const {state, newestId, unread, words: text = ''} = activity;
		if ((state === 'asks' || state === 'failed') && unread > 0) {
			notifiedOf.set(sessionId, newestId);
			const one = {subject: session(sessionId), needsUser: true, what: words.turns[state], words: text};
			addFirstRead(one, fleet);
		} else addFirstRead(undefined, fleet);
	}

	/** Notifies once of all first reads: a while after the last one, or at once when none is left. */
	function addFirstRead(one: UserNotification | undefined, {sessions}: Fleet): void {
		if (one) firstReads = [...firstReads, one];
		if (firstReads.length === 0) return;
		const isLast = [...sessions.values()].every(
			known => known.activity || known.wasEmpty || !isWatched(known),
		);
		cancelFirstReads();
		cancelFirstReads = clock.after(isLast ? 0 : firstReadPause, () => {
			const due = firstReads.filter(isDue);
			firstReads = [];
			deliver(due);
		});
	}

	/** Notifies of turns that ended, unless a hook has. */
	function notifyOfTurns(before: Fleet, after: Fleet): void {
		// Only sessions that were known before can have a turn that is new.
		if (before.sessions === after.sessions || before.sessions.size === 0) return;
		for (const [sessionId, {activity}] of after.sessions) {
			const known = before.sessions.get(sessionId);
			const old = known?.activity;
			if (activity && known && !old) notifyOfFirstRead(sessionId, activity, after);
			if (!activity || !old || activity === old || activity.state === 'working' || activity.unread === 0)
				continue;
			// Who wrote a message may be known only later, and unread answers with it.
			const isNew = activity.state !== old.state || activity.newestId !== old.newestId || old.unread === 0;
			if (!isNew || notifiedOf.get(sessionId) === activity.newestId) continue;
			if (activity.state === 'done' && !notifiesWhenDone) continue;
			if ((hookAlertAt.get(sessionId) ?? 0) >= activity.at - sameTurnWithin) continue;
			notifiedOf.set(sessionId, activity.newestId);
			const needsUser = activity.state !== 'done';
			send({
				subject: session(sessionId),
				needsUser,
				what: words.turns[activity.state],
				words: activity.words ?? '',
			});
		}
	}

	/** Notifies of computers that failed or seem not to go on, once for each time. */
	function notifyOfFailures(before: Fleet, after: Fleet): void {
		if (before.computers === after.computers) return;
		for (const [id, computer] of after.computers) {
			const known = before.computers.get(id);
			if (!known || known === computer) continue;
			const trouble = troubleOf(computer, median);
			if (!trouble || trouble.episode === troubleOf(known, median)?.episode) continue;
			const subject = {kind: 'computer', id} as const;
			const item = itemOf(subject);
			if (!item || !isWaiting(item)) continue;
			const what = trouble.isStuck ? 'may be stuck' : words.alerts.error;
			const one = {subject, needsUser: true, what, words: trouble.reason ?? 'Its provisioning failed'};
			if (known.computer) send(one);
			else addFirstRead(one, after);
		}
	}

	const stops = [
		stores.fleet.subscribe((now, before) => {
			count();
			skipEarlierRuns(before, now);
			notifyOfTurns(before, now);
			notifyOfFailures(before, now);
		}),
		stores.attention.subscribe(count),
		stores.outbox.subscribe((outbox, before) => {
			count();
			for (const {sessionId, problem} of newlyStuck(before, outbox))
				send({
					subject: session(sessionId),
					needsUser: true,
					what: 'has an undelivered message',
					words: problem ?? 'Decide what to do with it',
				});
		}),
	];

	return {
		hookUpdate({sessionId, event, alert}) {
			if (alert === undefined || (alert === 'done' && !notifiesWhenDone)) return;
			hookAlertAt.set(sessionId, eventTime(event));
			const newestId = stores.fleet.getState().sessions.get(sessionId)?.activity?.newestId;
			if (newestId !== undefined && notifiedOf.get(sessionId) === newestId) return;
			const {message, last_assistant_message: answer} = event.data;
			const asked = event.event === 'PermissionRequest' ? 'a permission' : event.event;
			const request = unfiltered().all.sessionsById.get(sessionId)?.request;
			const text = message ?? answer ?? request?.title ?? asked;
			send({
				subject: session(sessionId),
				needsUser: alert !== 'done',
				what: words.alerts[alert],
				words: text,
			});
		},
		snoozeEnded(subject) {
			const item = itemOf(subject);
			if (item && isWaiting(item))
				send({
					subject,
					needsUser: true,
					what: 'still needs you',
					words: item.reason ?? 'Its snooze ended',
				});
		},
		stop() {
			cancel();
			cancelFirstReads();
			for (const stop of stops) stop();
		},
	};
}

const session = (id: string): Subject => ({kind: 'session', id});

const isWorking = (item: NeedsItem) => item.kind === 'session' && item.group === 'working';

/** Messages that were being sent before and now wait for the user. */
function newlyStuck(before: Outbox, after: Outbox) {
	return [...after.bySession].flatMap(([sessionId, items]) => {
		const old = before.bySession.get(sessionId);
		if (old === items || old === undefined) return [];
		return items.filter(
			item => isStuck(item.state) && old.some(({id, state}) => id === item.id && !isStuck(state)),
		);
	});
}

const isStuck = (state: string) => state === 'failed' || state === 'unconfirmed';

type UserNotification = {
	readonly subject: Subject;
	/** Whether the user must act. If not, it is informational and opt-in. */
	readonly needsUser: boolean;
	/** The event, worded to follow the name: `needs you`. */
	readonly what: string;
	/** Its own message, raw. */
	readonly words: string;
};

const pauseAfterNotification = 5_000;
