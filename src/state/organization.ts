import {createStore, type StoreApi} from 'zustand/vanilla';
import type {RevisionDifference} from '../domain/controls-difference.ts';
import type {RepositoryReadiness} from '../domain/readiness-repositories.ts';
import type {Adoption} from '../domain/usage/adoption.ts';
import type {Autonomy} from '../domain/usage/autonomy.ts';
import type {Credits} from '../domain/usage/credits.ts';
import type {Efficiency} from '../domain/usage/efficiency.ts';
import type {WorkOutput} from '../domain/usage/output.ts';
import type {People} from '../domain/usage/people.ts';
import type {DayRange, RangeChoice} from '../domain/usage/range.ts';
import type {ToolUse} from '../domain/usage/tools.ts';
import type {Unusual, UnusualTopic} from '../domain/usage/unusual.ts';
import type {ListedUser} from '../domain/user-list.ts';
import type {Problem} from './fleet.ts';

/** What one range of days comes to. */
export type UsagePeriod = {
	readonly range: DayRange;
	readonly credits: Credits;
	readonly adoption: Adoption;
	readonly autonomy: Autonomy;
	readonly output: WorkOutput;
	readonly tools: ToolUse;
	readonly efficiency: Efficiency;
};

export type UsageData = {
	readonly choice: RangeChoice;
	readonly now: UsagePeriod;
	/** `meta.org_id` of the answers. */
	readonly organizationId?: string;
	/** As many days just before; absent when the history doesn't reach back that far. */
	readonly before?: UsagePeriod;
	/** What changed unusually, by topic. Nobody moved where there is no period before. */
	readonly unusual: Readonly<Record<UnusualTopic, Unusual>>;
	/** What is there only in part, in words. */
	readonly cut?: readonly string[];
};

export type PeopleData = {
	readonly choice: RangeChoice;
	readonly range: DayRange;
	readonly people: People;
	/** What is there only in part, in words. */
	readonly cut?: readonly string[];
};

/** How far a reading is; without a share nothing tells how much there will be. */
export type ReadingProgress = {readonly text: string; readonly share?: number};

/**
 * Something of the organization: what was read last, whether it is being read again, and what went wrong the last
 * time. Data stays when a reading fails: it is old then, and `readAt` (Unix ms) says how old.
 */
export type Loaded<Data> = {
	readonly data?: Data;
	readonly readAt?: number;
	readonly progress?: ReadingProgress;
	readonly problem?: Problem;
	/** Only some of it could not be read, and the data is as new as it can be without: the problem says what is missing. */
	readonly isPart?: boolean;
	/** What the data lacks, in one line. */
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
