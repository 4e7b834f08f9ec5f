/** What the table of computers can be ordered by: its columns, in their order on screen. */
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

/** How the Computers view is read: everything that is the user's doing. */
export type ComputersReading = {
	/** Id of the computer that the cursor is on. */
	readonly cursor?: string;
	readonly order: ComputerOrder;
	readonly isReversed: boolean;
	/** The filter, as it is typed. */
	readonly words: string;
	/** Which of the two panes has the keys; the only one seen where there is room for one. */
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

/** The order after this one, through the ends. */
export function nextOrder(order: ComputerOrder): ComputerOrder {
	return computerOrders[(computerOrders.indexOf(order) + 1) % computerOrders.length] ?? 'state';
}
