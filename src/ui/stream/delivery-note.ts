import type {DeliveryState} from '../../domain/delivery.ts';
import {type Span, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';

/** How far a message of ours is, for the right end of its first row. */
export const deliveryNotes: Readonly<Record<DeliveryState, Span>> = {
	queued: span(safe`◌ queued`, 'dim'),
	sending: span(safe`◌ sending`, 'info'),
	accepted: span(safe`✓ accepted`, 'dim'),
	seen: span(safe`✓ seen`, 'dim'),
	unconfirmed: span(safe`! unconfirmed`, 'warn'),
	failed: span(safe`✗ failed`, 'bad'),
};
