import type {Computer} from '../../domain/computers/computer.ts';
import {isOutsideService} from '../../domain/known.ts';
import {installSteps} from '../../state/computers/install-steps.ts';
import {isBlocked} from '../../state/connection.ts';
import {itemAt, type NeedsItem} from '../../state/lists/lists.ts';
import {isRequesting, type SessionItem} from '../../state/sessions/session-items.ts';
import {viewBehind} from '../../state/view/shown-item.ts';
import {targets} from '../../state/view/targets.ts';
import {views} from '../../state/view/view-states.ts';
import type {AppParts} from '../use-app.ts';
import type {Enabled, Now} from './binding.ts';

/** Passes if all checks do; otherwise gives the first one's reason. */
export const allOf =
	(...checks: readonly ((now: Now) => Enabled)[]) =>
	(now: Now): Enabled => {
		for (const check of checks) {
			const enabled = check(now);
			if (enabled !== true) return enabled;
		}
		return true;
	};

export const hasService = ({parts}: Now): Enabled =>
	parts.profile.isConnected || 'No service is set up yet: set QUARTERDECK_API_KEY, or start with --local';

/** Whether the service can't be reached since the start, or refuses the key. */
const isServiceBlocked = ({parts}: Now): boolean => isBlocked(parts.stores.connection.getState());

/** Requires a service that answers and takes the key, or may yet. */
export const canCreate = allOf(
	hasService,
	now =>
		!isServiceBlocked(now) || "The service can't be used now: the line at the top says why, and what helps",
);

/** Whether the service is the embedded one, which knows the folders of its sessions. */
export const isEmbedded = ({parts: {profile}}: Pick<Now, 'parts'>): boolean =>
	profile.isConnected && profile.host === undefined;

/** Whether the agent waits for an answer that can be given here: by its hook, or at the embedded service. */
export const isAnswerable = (parts: AppParts, item: SessionItem): boolean =>
	isRequesting(item) && (item.request !== undefined || isEmbedded({parts}));

/** For keys that the footer offers only while there is something in the list. */
export const unlessEmpty = (isEmpty: (now: Now) => boolean) => ({
	hintNow: (now: Now): string | undefined => (isEmpty(now) ? '' : undefined),
});

/** Whether the service can't be used now, as the banner says: it is blocked or has been out for a while. */
const isDown = (now: Now): boolean =>
	isServiceBlocked(now) || now.parts.stores.connection.getState().outage !== undefined;

/** For keys that help while the service can't be used: then the footer offers them first. */
export const whenDown = (hint: string) => ({
	hintNow: (now: Now): string | undefined => (isDown(now) ? hint : undefined),
	isFirst: isDown,
});

/** The label of Escape while something is open; undefined if the lists that it leads to are on the screen. */
export function backTo({view}: Now, lists: string, isListHidden: boolean): string | undefined {
	const behind = views.find(({name}) => name === viewBehind(view));
	if (behind) return `back to ${behind.title}`;
	return isListHidden ? lists : undefined;
}

/** The session or computer that keys act on. */
const targetItem = ({lists, view}: Now): NeedsItem | undefined => itemAt(lists.all, targets(view));

/** Whether anything needs the user who is in the Work view, and they can do something about it. */
export const someNeedUser = (now: Now): boolean =>
	now.lists.all.needs.length > 0 &&
	!isServiceBlocked(now) &&
	(now.contexts.includes('lists') || now.contexts.includes('stream'));

/** Whether the selected item needs the user, who has neither acknowledged nor snoozed it. */
export const needsUser = (now: Now): boolean => {
	const item = targetItem(now);
	return item?.episode !== undefined && item.mark === undefined && !isServiceBlocked(now);
};

export const hasItem = ({view}: Now): Enabled => {
	const {sessionId, computerId} = targets(view);
	return (sessionId ?? computerId) !== undefined || 'No session or computer is selected';
};

/** Whether the session or computer needs the user, including acknowledged and snoozed ones. */
export const isAsking = allOf(hasItem, now => {
	const item = targetItem(now);
	if (item?.episode !== undefined) return true;
	const {sessionId} = targets(now.view);
	return `This ${sessionId === undefined ? 'computer' : 'session'} doesn't need you now`;
});

/** The user's mark on it, if still valid. */
export const markOf = (now: Now) => targetItem(now)?.mark?.kind;

/** The session that keys act on. */
export const sessionOf = ({lists, view}: Now): SessionItem | undefined =>
	lists.all.sessionsById.get(targets(view).sessionId ?? '');

export const hasSession = ({view}: Now): Enabled =>
	targets(view).sessionId !== undefined || 'No session is selected';

export const hasComputer = ({view}: Now): Enabled =>
	targets(view).computerId !== undefined || 'No computer is selected';

/** Whether the session runs outside the service, and so has no settings to change. */
export const isOutside = ({parts, view}: Now): boolean =>
	isOutsideService(parts.stores.fleet.getState().sessions.get(targets(view).sessionId ?? ''));

export const isAtService = (now: Now): Enabled =>
	!isOutside(now) || "This session runs in another terminal: the service can't change it";

/** The computer whose install the session shows that keys act on. */
export function installedOn({parts, view}: Pick<Now, 'parts' | 'view'>): Computer | undefined {
	const {computers} = parts.stores.fleet.getState();
	return installSteps(computers).get(targets(view).sessionId ?? '')?.computer;
}
