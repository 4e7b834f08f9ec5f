import type {ExtraFields} from '../known.ts';
import {maskSecrets} from '../masking.ts';
import {instantOf} from '../time.ts';

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

/** The displayed data of a user. Secrets in the metadata are masked. */
export type ListedUser = Pick<User, 'id' | 'email' | 'firstName' | 'lastName' | 'metadata'> & {
	/** Unix ms; absent if missing or invalid. */
	readonly createdAt?: number;
	readonly lastSignInAt?: number;
};

/** Converts a user for display, parsing its times once. */
export function listedUser({id, email, firstName, lastName, ...user}: User): ListedUser {
	const createdAt = instantOf(user.createdAt);
	const lastSignInAt = instantOf(user.lastSignInAt);
	const {metadata} = user;
	return {
		id,
		email: email || undefined,
		firstName: firstName || undefined,
		lastName: lastName || undefined,
		createdAt,
		lastSignInAt,
		metadata: metadata && Object.keys(metadata).length > 0 ? maskSecrets(metadata) : undefined,
	};
}

/** First and last name; empty if neither is known. */
export function nameOf({firstName, lastName}: ListedUser): string {
	return [firstName, lastName].filter(Boolean).join(' ');
}
