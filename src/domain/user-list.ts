import {maskSecrets} from './masking.ts';
import {instantOf} from './time.ts';
import type {User} from './user.ts';

/** What is shown of a user. Secrets in the metadata are masked. */
export type ListedUser = Pick<User, 'id' | 'email' | 'firstName' | 'lastName' | 'metadata'> & {
	/** Unix ms; absent when it was never told, or is no time. */
	readonly createdAt?: number;
	readonly lastSignInAt?: number;
};

/** What is shown of a user, its times read once. */
export function listedUser({id, email, firstName, lastName, ...user}: User): ListedUser {
	const createdAt = instantOf(user.createdAt);
	const lastSignInAt = instantOf(user.lastSignInAt);
	const {metadata} = user;
	return {
		id,
		...(email && {email}),
		...(firstName && {firstName}),
		...(lastName && {lastName}),
		...(createdAt !== undefined && {createdAt}),
		...(lastSignInAt !== undefined && {lastSignInAt}),
		...(metadata && Object.keys(metadata).length > 0 && {metadata: maskSecrets(metadata)}),
	};
}

/** First and last name; empty when neither is told. */
export function nameOf({firstName, lastName}: ListedUser): string {
	return [firstName, lastName].filter(Boolean).join(' ');
}

/** What a filter looks into, in any case. */
export function textOfUser(user: ListedUser): string {
	return [user.id, user.email, nameOf(user)].join(' ');
}
