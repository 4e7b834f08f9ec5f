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

/** What each of the organization's views shows; nothing while nothing was read. `now` is Unix ms, to the minute. */
export const organizationPages: Readonly<Record<OrganizationPage, PageOf>> = {
	usage: usagePage,
	readiness: readinessPage,
	controls: controlsPage,
	users: usersPage,
};
