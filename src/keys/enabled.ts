import type {KeyContext} from './key-contexts.ts';
import type {Enabled, KeyState} from './key-state.ts';

/** Requires a configured service. */
export const hasService = (state: KeyState): Enabled =>
	state.isConnected || 'No service is set up yet: set QUARTERDECK_API_KEY, or start with --local';

/** Requires a service that answers and takes the key, or may yet. */
export const canCreate = (state: KeyState): Enabled => {
	if (!state.isConnected) return hasService(state);
	return !state.isBlocked || "The service can't be used now: the line at the top says why, and what helps";
};

/** For keys that the footer offers only while there is something in the list. */
export const unlessEmpty = {
	hintNow: ({isListEmpty}: KeyState): string | undefined => (isListEmpty ? '' : undefined),
} as const;

/** For keys that help while the service can't be used: then the footer offers them first. */
export const whenDown = (hint: string) => ({
	hintNow: ({isDown}: KeyState): string | undefined => (isDown ? hint : undefined),
	isFirst: ({isDown}: KeyState): boolean => isDown,
});

/** The label of Escape while something is open; undefined if the lists that it leads to are on the screen. */
export const backTo = ({viewBehind, isListHidden}: KeyState, lists: string): string | undefined => {
	if (viewBehind !== undefined) return `back to ${viewBehind}`;
	return isListHidden ? lists : undefined;
};

/** Whether anything needs the user who is in the Work view, and they can do something about it. */
export const someNeedUser = ({needsCount, isBlocked}: KeyState, contexts: readonly KeyContext[]): boolean =>
	needsCount > 0 && !isBlocked && (contexts.includes('lists') || contexts.includes('stream'));

/** Whether the selected item needs the user, who has neither acknowledged nor snoozed it. */
export const needsUser = ({isAsking, mark, isBlocked}: KeyState): boolean =>
	isAsking === true && mark === undefined && !isBlocked;

export const hasSession = (state: KeyState): Enabled =>
	state.sessionId !== undefined || 'No session is selected';

export const hasMessage = (state: KeyState): Enabled => state.isMessageSelected || 'No messages here yet';

export const hasFound = (state: KeyState): Enabled =>
	state.foundCount !== 0 || 'Nothing found yet; matches are highlighted as they arrive';

/** Passes if all checks do; otherwise gives the first one's reason. */
export const allOf =
	(...checks: readonly ((state: KeyState) => Enabled)[]) =>
	(state: KeyState): Enabled => {
		for (const check of checks) {
			const enabled = check(state);
			if (enabled !== true) return enabled;
		}
		return true;
	};
