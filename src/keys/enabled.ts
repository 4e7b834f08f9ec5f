import type {Enabled, KeyState} from './key-state.ts';

/** Requires a configured service. */
export const hasService = (state: KeyState): Enabled =>
	state.isConnected || 'No service is set up yet: set QUARTERDECK_API_KEY, or start with --local';

export const hasSession = (state: KeyState): Enabled =>
	state.sessionId !== undefined || 'No session is selected';

export const hasMessage = (state: KeyState): Enabled =>
	state.isMessageSelected || 'There is no message here yet';

export const hasFound = (state: KeyState): Enabled =>
	state.foundCount !== 0 || 'Nothing found yet; matches are highlighted as they arrive';

/** The first check that fails, or true. */
export const firstReason = (...checks: readonly Enabled[]): Enabled =>
	checks.find(check => check !== true) ?? true;
