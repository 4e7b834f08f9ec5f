import {useEffect, useId, useMemo, useSyncExternalStore} from 'react';
import {useApp} from './use-app.ts';

/**
 * The time to draw with. `changesAt` answers when what this component shows changes next (Unix ms), or undefined when
 * nothing of it moves by itself: then it is not woken.
 */
export function useNow(changesAt: (now: number) => number | undefined): number {
	const {ticker} = useApp();
	const id = useId();
	const owner = useMemo(() => ({id}), [id]);
	const now = useSyncExternalStore(ticker.subscribe, ticker.now);
	const next = changesAt(now);
	useEffect(() => ticker.wake(owner, next), [ticker, owner, next]);
	useEffect(() => () => ticker.wake(owner, undefined), [ticker, owner]);
	return now;
}
