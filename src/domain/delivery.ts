import type {FileAttachment, ImageAttachment} from './message.ts';

/**
 * The life of a message of ours (SERVICE-NOTES, Sending).
 * `accepted`: the service gave its id. `seen`: it was found in a listing. `unconfirmed`: it may have been accepted.
 */
export type DeliveryState = 'queued' | 'sending' | 'accepted' | 'seen' | 'unconfirmed' | 'failed';

/** A message of ours, on disk before it is on the wire. Times are Unix ms. */
export type OutboxItem = {
	/** Our own id (UUID). */
	readonly id: string;
	readonly sessionId: string;
	readonly computerId?: string;
	readonly text: string;
	readonly images: readonly ImageAttachment[];
	readonly files: readonly FileAttachment[];
	readonly state: DeliveryState;
	readonly createdAt: number;
	/** When the last try was put on the wire. */
	readonly sentAt?: number;
	/** Not before this time (back-off, Retry-After). */
	readonly notBefore?: number;
	readonly tries: number;
	/** The service's id, once it is known. */
	readonly messageId?: string;
	/** Why it failed or is unconfirmed, in one line. */
	readonly problem?: string;
};
