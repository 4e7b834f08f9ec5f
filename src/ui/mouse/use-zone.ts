import {useId, useLayoutEffect} from 'react';
import {useApp} from '../use-app.ts';
import type {Zone} from './zones.ts';

/** Lets the pointer reach a component for as long as it is drawn. */
export function useZone(zone: Zone | undefined): void {
	const {zones} = useApp();
	const id = useId();
	useLayoutEffect(() => {
		if (zone) zones.set(id, zone);
		return () => void zones.delete(id);
	});
}
