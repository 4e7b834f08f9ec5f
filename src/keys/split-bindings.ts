import {firstReason, hasSession} from './enabled.ts';
import type {Enabled, KeyState} from './key-state.ts';

const hasSplit = (facts: KeyState): Enabled =>
	(facts.streamCount ?? 0) > 1 || 'Only one session is open: {split} in a list opens another beside it';

/** Keys for several sessions side by side. */
export const splitBindings = [
	{
		keys: ['|'],
		action: 'split',
		title: 'Open the session beside the others, or close it',
		contexts: ['sessions', 'stream'],
		isEnabled: (facts: KeyState): Enabled => firstReason(hasSession(facts), facts.split ?? true),
	},
	{
		keys: ['h', 'left'],
		action: 'stream-left',
		title: 'To the stream on the left',
		contexts: ['stream'],
		isEnabled: hasSplit,
		isMotion: true,
	},
	{
		keys: ['l', 'right'],
		action: 'stream-right',
		title: 'To the stream on the right',
		contexts: ['stream'],
		isEnabled: hasSplit,
		isMotion: true,
	},
	{
		keys: ['<'],
		action: 'move-stream-left',
		title: 'Move this stream to the left',
		contexts: ['stream'],
		isEnabled: hasSplit,
	},
	{
		keys: ['>'],
		action: 'move-stream-right',
		title: 'Move this stream to the right',
		contexts: ['stream'],
		isEnabled: hasSplit,
	},
] as const;
