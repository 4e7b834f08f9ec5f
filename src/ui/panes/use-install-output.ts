import {useEffect} from 'react';
import {useStore} from 'zustand';
import type {ComputerItem} from '../../state/lists.ts';
import type {StreamEntry} from '../../state/stream.ts';
import {useApp} from '../use-app.ts';
import {lastLines, tailSession} from './install-output.ts';

const rows = 8;
const none: readonly StreamEntry[] = [];

/** The last lines of a computer's install output, followed while on screen. */
export function useInstallOutput(item: ComputerItem): readonly string[] {
	const {stores, actions} = useApp();
	const sessionId = tailSession(item);
	useEffect(
		() => (sessionId === undefined ? undefined : actions.engine.open(sessionId)),
		[actions.engine, sessionId],
	);
	const entries = useStore(stores.streams, ({open}) => open.get(sessionId ?? '')?.entries ?? none);
	return lastLines(entries, rows);
}
