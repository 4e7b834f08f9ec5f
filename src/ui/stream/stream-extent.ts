import type {StreamItem} from './stream-items.ts';
import type {Extent} from './viewport.ts';

/** The stream as it was drawn last: what keys move in and act on. */
export type StreamExtent = Extent & {readonly sessionId: string; readonly items: readonly StreamItem[]};
