import {createStore, type StoreApi} from 'zustand/vanilla';
import type {RevisionDifference} from '../../domain/organization/controls.ts';
import type {RepositoryReadiness} from '../../domain/organization/readiness.ts';
import type {ListedUser} from '../../domain/organization/user.ts';
import type {clientsOf, ToolUse, WorkOutput} from '../../domain/usage/breakdowns.ts';
import type {Credits} from '../../domain/usage/credits.ts';
import type {People} from '../../domain/usage/people.ts';
import type {DayRange, RangeChoice} from '../../domain/usage/range.ts';
import type {Problem} from '../fleet.ts';
import type {DayPoints, Unusual} from './day-columns.ts';

export type UsagePeriod = {
	readonly range: DayRange;
	readonly days: DayPoints;
	readonly credits: Credits;
	readonly clients: ReturnType<typeof clientsOf>;
	readonly output: WorkOutput;
	readonly tools: ToolUse;
};

export type UsageData = {
	readonly choice: RangeChoice;
	readonly now: UsagePeriod;
	/** `meta.org_id` of the responses. */
	readonly organizationId?: string;
	/** The last day, if it isn't over. */
	readonly today?: string;
	/** The period without today, if it includes it: what is compared. */
	readonly whole?: UsagePeriod;
	/** The preceding period of the same length; absent if it starts before the history, or if only today is shown. */
	readonly before?: UsagePeriod;
	/** Days far from the same weekday in earlier weeks. */
	readonly unusual: Unusual;
};

export type PeopleData = {
	readonly choice: RangeChoice;
	readonly range: DayRange;
	/** The last day, if it isn't over. */
	readonly today?: string;
	readonly people: People;
	/** Descriptions of data that is incomplete. */
	readonly cut?: readonly string[];
};

/**
 * Data of the organization: the last loaded value, whether it is being reloaded, and the last load's error. A
 * failed load keeps the old data; `readAt` (Unix ms) gives its age.
 */
export type Loaded<Data> = {
	readonly data?: Data;
	readonly readAt?: number;
	readonly progress?: string;
	readonly problem?: Problem;
	/** The load failed only in part and the rest is up to date; the problem names what is missing. */
	readonly isPart?: boolean;
	/** What the data is missing, in one line. */
	readonly note?: string;
};

export type Organization = {
	readonly usage: Loaded<UsageData>;
	readonly people: Loaded<PeopleData>;
	readonly readiness: Loaded<readonly RepositoryReadiness[]>;
	readonly controls: Loaded<readonly RevisionDifference[]>;
	readonly users: Loaded<readonly ListedUser[]>;
};
export type OrganizationPart = keyof Organization;
export type OrganizationStore = StoreApi<Organization>;

export function createOrganizationStore(): OrganizationStore {
	return createStore<Organization>(() => ({usage: {}, people: {}, readiness: {}, controls: {}, users: {}}));
}
