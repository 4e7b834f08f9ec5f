import type {ExtraFields} from './open-enum.ts';

/**
 * One change of the organization's settings (contract 2.3). `settings` is the whole settings object as it stood
 * after the change: an open tree, since the contract leaves many of its parts free-form.
 * `updatedAt` is a date-time as the service gave it.
 */
export type ControlChange = ExtraFields & {
	readonly revision: number;
	readonly settings?: ExtraFields;
	readonly user?: ExtraFields & {readonly id?: string; readonly email?: string; readonly name?: string};
	readonly updatedAt?: string;
};
