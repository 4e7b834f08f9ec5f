export const strings = {
	reading: (what: string, count: number | string) => `reading ${what}: ${count}`,
	skipped: (count: number) =>
		count === 1
			? '1 item could not be read completely: it, or a part of it, is missing here'
			: `${count} items could not be read completely: they, or parts of them, are missing here`,
	cutShort: (printed: number) =>
		`the list is incomplete: it ends after ${printed === 1 ? 'the first row' : `the first ${printed} rows`}, as the next page could not be read`,
};
