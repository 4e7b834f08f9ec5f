/** What commands that print a list report on stderr. */
export const strings = {
	reading: (what: string, count: number | string) => `reading ${what}: ${count}`,
	skipped: (count: number) =>
		count === 1
			? '1 item could not be read and is missing here'
			: `${count} items could not be read and are missing here`,
	noCursor: 'the service says there is more but gives no cursor to it: the list is incomplete',
};
