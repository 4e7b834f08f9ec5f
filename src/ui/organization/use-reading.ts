import {useEffect, useRef} from 'react';
import type {OrganizationPart} from '../../state/organization.ts';
import type {OrganizationReading} from '../../state/organization-reading.ts';
import {useApp} from '../use-app.ts';

/** Parts read per range of days; the others don't depend on it. */
const ranged: ReadonlySet<OrganizationPart> = new Set(['usage', 'people']);

/** Reads a part of the organization while it is on screen, and again when the user refreshes. */
export function useReading(part: OrganizationPart | undefined, {range, asked}: OrganizationReading): void {
	const {actions} = useApp();
	const before = useRef(asked);
	const choice = part && ranged.has(part) ? range : 'all';
	useEffect(() => {
		const isAsked = before.current !== asked;
		before.current = asked;
		return part && actions.organization.read(part, choice, isAsked);
	}, [actions.organization, part, choice, asked]);
}
