import type {ExtraFields} from './open-enum.ts';

/** A user of the organization. Dates are the service's strings, unparsed. */
export type User = ExtraFields & {
	readonly id: string;
	readonly email?: string;
	readonly createdAt?: string;
	readonly metadata?: Record<string, unknown>;
	readonly firstName?: string;
	readonly lastName?: string;
	readonly lastSignInAt?: string;
};
