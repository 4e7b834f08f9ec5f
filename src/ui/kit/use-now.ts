import {useEffect, useId, useMemo, useSyncExternalStore} from 'react';
import {useStore} from 'zustand';
import {useApp} from '../use-app.ts';
import {reducedMotionInterval} from './ticker.ts';

/**
 * The time to render with. `changesAt` returns when the component's output next changes (Unix ms), or
 * undefined if it doesn't change by itself; then the component is never woken.
 */
export function useNow(changesAt: (now: number) => number | undefined): number {
	const {ticker, display} = useApp();
	const hasReducedMotion = useStore(display, state => state.hasReducedMotion);
	const id = useId();
	const owner = useMemo(() => ({id}), [id]);
	const now = useSyncExternalStore(ticker.subscribe, ticker.now);
	const change = changesAt(now);
	const next =
		hasReducedMotion && change !== undefined ? Math.max(change, now + reducedMotionInterval) : change;
	useEffect(() => ticker.wake(owner, next), [ticker, owner, next]);
	useEffect(() => () => ticker.wake(owner, undefined), [ticker, owner]);
	return now;
}
