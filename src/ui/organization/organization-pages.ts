import type {KeyMap} from '../../keys/key-map.ts';
import type {Organization} from '../../state/organization.ts';
import type {OrganizationReading} from '../../state/organization-reading.ts';
import {controlsPage} from './controls-page.ts';
import type {Page, PageSize} from './page.ts';
import {readinessPage} from './readiness-page.ts';
import {usagePage} from './usage-page.ts';
import {usersPage} from './users-page.ts';

export type OrganizationPage = 'usage' | 'readiness' | 'controls' | 'users';

type PageOf = (
	organization: Organization,
	reading: OrganizationReading,
	size: PageSize,
	now: number,
	label: KeyMap['label'],
) => Page | undefined;

/**
 * Builds the page of each organization view; undefined before its data is read. `now` is Unix ms, rounded
 * down to the minute.
 */
export const organizationPages: Readonly<Record<OrganizationPage, PageOf>> = {
	usage: usagePage,
	readiness: readinessPage,
	controls: controlsPage,
	users: usersPage,
};
