import {useEffect} from 'react';
import type {Stores} from '../../state/stores.ts';
import type {Stream} from '../../state/stream.ts';
import {previewTarget} from '../../state/view/targets.ts';
import type {View} from '../../state/view/view.ts';
import type {Layout} from '../layout.ts';
import {useApp} from '../use-app.ts';

/** How long the cursor must rest on a row before its session is read from disk, ms: a frame. */
const previewDelay = 16;

/**
 * Puts the preview of the session at the cursor in the store: after the frame that moves the cursor, and again after
 * each change of the session's activity.
 */
export function usePreview(layout: Layout, view: View): void {
	const parts = useApp();
	const {main} = layout;
	const target = main && previewTarget(view);
	useEffect(() => {
		const {fleet, streams} = parts.stores;
		if (target === undefined) {
			setPreview(streams, undefined);
			return undefined;
		}
		const {clock, engine} = parts.actions;
		const read = () => setPreview(streams, engine.sessions.preview(target));
		const cancel = clock.after(previewDelay, read);
		const stop = fleet.subscribe((now, before) => {
			if (now.sessions.get(target)?.activity !== before.sessions.get(target)?.activity) read();
		});
		return () => {
			cancel();
			stop();
		};
	}, [parts, target]);
	useEffect(() => () => setPreview(parts.stores.streams, undefined), [parts]);
}

function setPreview(streams: Stores['streams'], preview: Stream | undefined): void {
	const {preview: before, ...others} = streams.getState();
	if (before !== preview) streams.setState(preview ? {...others, preview} : others, true);
}
