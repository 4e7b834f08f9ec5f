/** Keys for exporting and copying the organization views, and for choosing their days. */
export const exportBindings = [
	{
		keys: ['d'],
		action: 'free-range',
		title: 'Choose a date range',
		contexts: ['usage', 'users'],
		hint: 'days',
	},
	{
		keys: ['x'],
		action: 'export-page',
		title: 'Export what is shown, as CSV or JSON, to a file or the clipboard',
		contexts: ['organization'],
		hint: 'export',
	},
	{
		keys: ['y'],
		action: 'copy-page',
		title: "Copy the list or the page's tables as CSV",
		contexts: ['organization'],
	},
] as const;
