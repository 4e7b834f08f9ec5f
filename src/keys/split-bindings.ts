import {allOf, hasSession} from './enabled.ts';
import type {Enabled, KeyState} from './key-state.ts';

const hasSplit = (state: KeyState): Enabled =>
	(state.streamCount ?? 0) > 1 || 'Only one session is open: {split} in a list opens another beside it';

const inStream = {contexts: ['stream']} as const;

/** Keys for several sessions side by side. */
export const splitBindings = [
	{
		action: 'split',
		keys: ['|'],
		title: 'Open the session beside the others, or close it',
		contexts: ['sessions', 'stream'],
		isEnabled: allOf(hasSession, state => state.split ?? true),
	},
	{
		...inStream,
		action: 'stream-left',
		keys: ['h', 'left'],
		title: 'To the stream on the left',
		isEnabled: hasSplit,
		isMotion: true,
	},
	{
		...inStream,
		action: 'stream-right',
		keys: ['l', 'right'],
		title: 'To the stream on the right',
		isEnabled: hasSplit,
		isMotion: true,
	},
	{
		...inStream,
		action: 'move-stream-left',
		keys: ['<'],
		title: 'Move this stream to the left',
		isEnabled: hasSplit,
	},
	{
		...inStream,
		action: 'move-stream-right',
		keys: ['>'],
		title: 'Move this stream to the right',
		isEnabled: hasSplit,
	},
] as const;
