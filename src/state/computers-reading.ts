/** Sort orders of the computers table: its columns, in display order. */
export const computerOrders = [
	'state',
	'name',
	'steps',
	'time',
	'sessions',
	'provider',
	'host',
	'user',
	'read',
] as const;
export type ComputerOrder = (typeof computerOrders)[number];

/** User-controlled state of the Computers view. */
export type ComputersReading = {
	/** Id of the computer at the cursor. */
	readonly cursor?: string;
	readonly order: ComputerOrder;
	readonly isReversed: boolean;
	/** The filter as typed. */
	readonly words: string;
	/** The pane with the focus; if only one fits, the visible one. */
	readonly pane: 'table' | 'detail';
	/** First visible row of the detail. */
	readonly top: number;
};

export const firstComputersReading: ComputersReading = {
	order: 'state',
	isReversed: false,
	words: '',
	pane: 'table',
	top: 0,
};

/** The next sort order, wrapping around. */
export function nextOrder(order: ComputerOrder): ComputerOrder {
	return computerOrders[(computerOrders.indexOf(order) + 1) % computerOrders.length] ?? 'state';
}
