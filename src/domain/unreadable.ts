import type {ExtraFields} from './known.ts';

/** The parts of a decoded item that are of a wrong type, by key or index, raw: `quarterdeck.unreadable` in JSON. */
export function unreadableOf({quarterdeck}: ExtraFields): {readonly unreadable?: unknown} {
	const isOurs = typeof quarterdeck === 'object' && quarterdeck !== null && 'unreadable' in quarterdeck;
	return isOurs ? {unreadable: quarterdeck.unreadable} : {};
}

export function hasUnreadable(item: ExtraFields): boolean {
	return 'unreadable' in unreadableOf(item);
}
