import {useEffect, useRef} from 'react';
import {useStore} from 'zustand';
import {prepareComposer} from './open-session.ts';
import type {AppParts} from './use-app.ts';

/**
 * Follows the sessions on screen and fills their composers; `focused` is the one being read. When another
 * view hides them, releases those that follow the end; those scrolled away from it keep their position and
 * are polled slowly.
 */
export function useOpenStreams(
	parts: AppParts,
	sessionIds: readonly string[],
	focused: string | undefined,
	isSeen: boolean,
): void {
	const {engine} = parts.actions;
	const held = useStore(parts.view, ({readings}) =>
		sessionIds.filter(id => isSeen || readings.get(id)?.isFollowing === false).join('\n'),
	);
	useEffect(() => engine.focus(isSeen ? focused : undefined), [engine, focused, isSeen]);

	const open = useRef(new Map<string, () => void>());
	useEffect(() => {
		const wanted = new Set(held === '' ? [] : held.split('\n'));
		for (const [id, release] of open.current) {
			if (wanted.has(id)) continue;
			open.current.delete(id);
			release();
		}
		for (const id of wanted) {
			if (open.current.has(id)) continue;
			prepareComposer(parts, id);
			open.current.set(id, engine.open(id));
		}
	}, [engine, parts, held]);
	useEffect(
		() => () => {
			for (const release of open.current.values()) release();
			open.current.clear();
		},
		[],
	);
}
