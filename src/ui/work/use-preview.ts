import {useEffect} from 'react';
import {useStore} from 'zustand';
import type {SessionActivity} from '../../domain/sessions/activity.ts';
import type {Stores} from '../../state/stores.ts';
import type {Stream} from '../../state/stream.ts';
import {previewTarget} from '../../state/view/targets.ts';
import type {View} from '../../state/view/view.ts';
import type {Layout} from '../layout.ts';
import {useApp} from '../use-app.ts';

/** How long the cursor must rest on a row before its session is read from disk, ms: a frame. */
const previewDelay = 16;
const maxPreviews = 4;

/** The most recent previews. Each is valid while its session's activity is the same object. */
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
			// Not empty ones or transcripts: messages come there without an activity.
			if (stream.entries.length > 0 && !stream.transcript) previews.set(stream.sessionId, {stream, activity});
			const [oldest] = previews.keys();
			if (previews.size > maxPreviews && oldest !== undefined) previews.delete(oldest);
		},
	};
}

/**
 * Puts the preview of the session at the cursor in the store: after the frame that moves the cursor, and again after
 * each change of the session's activity.
 */
export function usePreview(layout: Layout, view: View): void {
	const parts = useApp();
	const {main} = layout;
	const target = main && previewTarget(view);
	const activity = useStore(parts.stores.fleet, ({sessions}) => sessions.get(target ?? '')?.activity);
	useEffect(() => {
		if (target === undefined) {
			setPreview(parts.stores.streams, undefined);
			return undefined;
		}
		const {previews} = parts.caches;
		const cached = previews.get(target, activity);
		if (cached) {
			setPreview(parts.stores.streams, cached);
			return undefined;
		}
		const {clock, engine} = parts.actions;
		return clock.after(previewDelay, () => {
			const stream = engine.sessions.preview(target);
			if (stream) previews.put(stream, activity);
			setPreview(parts.stores.streams, stream);
		});
	}, [parts, target, activity]);
	useEffect(() => () => setPreview(parts.stores.streams, undefined), [parts]);
}

function setPreview(streams: Stores['streams'], preview: Stream | undefined): void {
	const {preview: before, ...others} = streams.getState();
	if (before !== preview) streams.setState(preview ? {...others, preview} : others, true);
}
