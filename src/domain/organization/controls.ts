import type {ExtraFields} from '../known.ts';

/**
 * One change to the organization's settings. `settings` is the complete settings object after the change: an
 * open tree, because the contract leaves many parts free-form. `updatedAt` is the service's date-time string,
 * unparsed.
 */
export type ControlChange = ExtraFields & {
	readonly revision: number;
	readonly settings?: ExtraFields;
	readonly user?: ExtraFields & {readonly id?: string; readonly email?: string; readonly name?: string};
	readonly updatedAt?: string;
};
