import {allOf, hasSession} from '../enabled.ts';
import type {Enabled, KeyState} from '../key-state.ts';
import {bindingsIn} from './binding.ts';

const hasSplit = (state: KeyState): Enabled =>
	(state.streamCount ?? 0) > 1 || 'Only one session is open: {split} in a list opens another beside it';

/** Keys for several sessions side by side. */
export const splitBindings = [
	{
		action: 'split',
		keys: ['|'],
		title: 'Open the session beside the others, or close it',
		isEnabled: allOf(hasSession, state => state.split ?? true),
		contexts: ['sessions', 'stream'],
	},
	...bindingsIn({contexts: ['stream'], isEnabled: hasSplit}, [
		{action: 'stream-left', keys: ['h', 'left'], title: 'To the stream on the left', isPaletteHidden: true},
		{
			action: 'stream-right',
			keys: ['l', 'right'],
			title: 'To the stream on the right',
			isPaletteHidden: true,
		},
		{action: 'move-stream-left', keys: ['<'], title: 'Move this stream to the left'},
		{action: 'move-stream-right', keys: ['>'], title: 'Move this stream to the right'},
	]),
] as const;
