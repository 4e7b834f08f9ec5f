import {RejectedError} from '../../api/errors.ts';
import {highest} from '../../domain/large-arrays.ts';
import type {Message, MessageRole} from '../../domain/messages/message.ts';
import {isFilterHonored, type ListedByRole} from '../../domain/messages/roles.ts';
import type {ReadPage} from '../core/read-list.ts';
import type {MessageWindow} from './message-window.ts';
import type {RoleListings} from './role-listings.ts';

/** A question to the listings by role. `answers`: what those already read returned. */
type ListingQuestion = {
	readonly listings: RoleListings;
	readonly role: MessageRole;
	readonly message: Message;
	readonly answers: ListedByRole;
};

/** The roles of a newest message, most likely first. */
const likelyRoles = ['assistant', 'user', 'tool'] as const;
const probeLimit = 5;

/**
 * What is known of a session's listings by role: up to which message they include those of their role, since they may lag
 * behind without a sign of it, and whether the service filters by role at all. What is found is saved.
 */
export function createListingReach(messageWindow: MessageWindow) {
	/** Takes the newest time of these messages, which some listing returned; returns the newest so far, Unix ms. */
	function extend(items: readonly Message[]): number {
		const {listedUpTo: before = Number.NEGATIVE_INFINITY} = messageWindow.listing;
		const listedUpTo = highest([before, ...items.flatMap(({createdAt}) => createdAt ?? [])]);
		if (listedUpTo > before) messageWindow.setListingState({listedUpTo});
		return listedUpTo;
	}

	/** Whether a listing is known to have returned this message or a newer one. */
	function isReached({createdAt = Number.POSITIVE_INFINITY}: Message): boolean {
		return createdAt <= (messageWindow.listing.listedUpTo ?? Number.NEGATIVE_INFINITY);
	}

	/** Takes what listings returned; false if the service ignores the role filter. */
	function compare(answers: ListedByRole): boolean {
		const isHonored = isFilterHonored(answers);
		const filled = Object.values(answers).filter(items => items.length > 0);
		if (isHonored && filled.length > 1) setHonored();
		return isHonored;
	}

	function setHonored(): void {
		if (!messageWindow.listing.isRoleFilterHonored)
			messageWindow.setListingState({isRoleFilterHonored: true});
	}

	/** Takes and saves what a role's listing returned; returns whether it shows that `message` is reached. */
	function take(role: MessageRole, items: readonly Message[], message: Message): boolean {
		messageWindow.setRoles(new Map(items.map(({id}) => [id, role])));
		extend(items);
		return isReached(message) || items.some(({id}) => id === message.id);
	}

	/** Whether the message is in this listing: reads its newest end; if the oldest come first, all of it. */
	async function isListed(
		read: ReadPage,
		{listings, role, message, answers}: ListingQuestion,
	): Promise<boolean> {
		do {
			const {items} = await listings.newest(read, role, [message]);
			if (!compare({...answers, [role]: items})) return false;
			const isFound = take(role, items, message);
			listings.saveCursors();
			if (isFound) return true;
		} while (listings.isUnfinished(role));
		return false;
	}

	return {
		extend,
		isReached,
		compare,
		take,
		/**
		 * Reads the listings that aren't among `answers`, one after the other, until one includes the message; returns
		 * whether one does. A listing that the service refuses is left out.
		 */
		async isListedElsewhere(read: ReadPage, question: Omit<ListingQuestion, 'role'>): Promise<boolean> {
			for (const role of likelyRoles) {
				if (question.answers[role]) continue;
				try {
					if (await isListed(read, {...question, role})) return true;
				} catch (error) {
					if (!(error instanceof RejectedError)) throw error;
				}
			}
			return false;
		},
		/**
		 * Whether the service ignores the role filter. It may do if `listed`, messages of one role, end with all that are
		 * known: then reads a page of another role, unless an earlier answer shows that it filters.
		 */
		async isFilterIgnored(read: ReadPage, role: MessageRole, listed: readonly Message[]): Promise<boolean> {
			const newest = messageWindow.timeline.items().slice(-listed.length);
			if (messageWindow.listing.isRoleFilterHonored || listed.length === 0) return false;
			const isAlike = newest.every(({id}, index) => id === listed.at(index - newest.length)?.id);
			if (!isAlike) {
				setHonored();
				return false;
			}
			const other = role === 'tool' ? 'user' : 'tool';
			try {
				const {items} = await read({role: other, limit: probeLimit});
				return !compare({[role]: listed, [other]: items});
			} catch (error) {
				// A service that refuses a role knows the filter.
				if (error instanceof RejectedError) return false;
				throw error;
			}
		},
	};
}
