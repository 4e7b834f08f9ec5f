import type {Organization} from '../../state/organization.ts';
import type {OrganizationReading} from '../../state/organization-reading.ts';
import type {Page, PageSize} from './page.ts';
import {usagePage} from './usage-page.ts';

export type OrganizationPage = 'usage';

type PageOf = (
	organization: Organization,
	reading: OrganizationReading,
	size: PageSize,
	now: number,
) => Page | undefined;

/** What each of the organization's views shows; nothing while nothing was read. `now` is Unix ms, to the minute. */
export const organizationPages: Readonly<Record<OrganizationPage, PageOf>> = {
	usage: usagePage,
};
