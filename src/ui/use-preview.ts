import {useEffect} from 'react';
import {useStore} from 'zustand';
import type {SessionActivity} from '../domain/sessions/activity.ts';
import {previewTarget} from '../state/preview.ts';
import type {Stores} from '../state/stores.ts';
import type {Stream} from '../state/stream.ts';
import type {View} from '../state/view.ts';
import type {Layout} from './layout.ts';
import {useApp} from './use-app.ts';

/** How long the cursor must rest on a row before its session is read from disk, ms: a frame. */
const rest = 16;
const maxPreviews = 4;

/** The last previews; one is valid while the session's activity is the same object. */
export function createPreviewCache() {
	type Cached = {readonly stream: Stream; readonly activity: SessionActivity | undefined};
	const previews = new Map<string, Cached>();
	return {
		get(sessionId: string, activity: SessionActivity | undefined): Stream | undefined {
			const cached = previews.get(sessionId);
			return cached?.activity === activity ? cached?.stream : undefined;
		},
		put(stream: Stream, activity: SessionActivity | undefined): void {
			previews.delete(stream.sessionId);
			// Nothing may become something without any activity, and a transcript grows without any.
			if (stream.entries.length > 0 && !stream.transcript) previews.set(stream.sessionId, {stream, activity});
			const [oldest] = previews.keys();
			if (previews.size > maxPreviews && oldest !== undefined) previews.delete(oldest);
		},
	};
}

/**
 * Keeps the preview of the session at the cursor in its store. It is read after the cursor's own frame, and
 * again whenever a read of the session found something.
 */
export function usePreview(layout: Layout, view: View): void {
	const parts = useApp();
	const {main} = layout;
	const target = main && previewTarget(view);
	const activity = useStore(parts.stores.fleet, ({sessions}) => sessions.get(target ?? '')?.activity);
	useEffect(() => {
		if (target === undefined) {
			show(parts.stores.streams, undefined);
			return undefined;
		}
		const {previews} = parts.caches;
		const cached = previews.get(target, activity);
		if (cached) {
			show(parts.stores.streams, cached);
			return undefined;
		}
		const {clock, engine} = parts.actions;
		return clock.after(rest, () => {
			const stream = engine.preview(target);
			if (stream) previews.put(stream, activity);
			show(parts.stores.streams, stream);
		});
	}, [parts, target, activity]);
	useEffect(() => () => show(parts.stores.streams, undefined), [parts]);
}

function show(streams: Stores['streams'], preview: Stream | undefined): void {
	const {preview: before, ...others} = streams.getState();
	if (before !== preview) streams.setState(preview ? {...others, preview} : others, true);
}
