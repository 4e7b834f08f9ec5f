import {useMemo, useRef} from 'react';
import {useStore} from 'zustand';
import {type LogEntry, type Matches, matchLog} from '../../state/event-log.ts';
import type {View} from '../../state/view.ts';
import {useApp} from '../use-app.ts';

/** The events that the filter lets through; what came since the last frame is all that is looked at. */
export function useMatches({events}: View): readonly LogEntry[] {
	const {stores} = useApp();
	const entries = useStore(stores.events, log => log.entries);
	const {words, sessionId} = events;
	const filter = useMemo(() => ({words, ...(sessionId !== undefined && {sessionId})}), [words, sessionId]);
	const before = useRef<Matches>(undefined);
	before.current = matchLog(entries, filter, before.current);
	return before.current.entries;
}
