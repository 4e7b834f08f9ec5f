import type {Envelope} from '../../hooks/wire.ts';

/** A hook event as received: the envelope, when it reached us (Unix ms) and by which way. */
export type HookEvent = Envelope & {
	readonly receivedAt: number;
	readonly delivery: 'socket' | 'spool';
};
