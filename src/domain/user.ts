import type {Extra} from './open.ts';

/** A user of the organization (contract 2.7). Dates are strings as the service gave them. */
export type User = Extra & {
	readonly id: string;
	readonly email?: string;
	readonly createdAt?: string;
	readonly metadata?: Record<string, unknown>;
	readonly firstName?: string;
	readonly lastName?: string;
	readonly lastSignInAt?: string;
};
