import {useMemo, useRef} from 'react';
import {useStore} from 'zustand';
import {type LogEntry, type Matches, matchLog} from '../../state/event-log.ts';
import type {View} from '../../state/view.ts';
import {useApp} from '../use-app.ts';

/** The events that match the filter. Only events added since the last frame are matched again. */
export function useMatches({events}: View): readonly LogEntry[] {
	const {stores} = useApp();
	const entries = useStore(stores.events, log => log.entries);
	const {words, sessionId} = events;
	const filter = useMemo(() => ({words, ...(sessionId !== undefined && {sessionId})}), [words, sessionId]);
	const before = useRef<Matches>(undefined);
	before.current = matchLog(entries, filter, before.current);
	return before.current.entries;
}
