/** Keys for exporting and copying the organization views, and for choosing their days. */
export const exportBindings = [
	{
		action: 'free-range',
		keys: ['d'],
		title: 'Choose a date range',
		hint: 'days',
		contexts: ['usage', 'users'],
	},
	{
		action: 'export-page',
		keys: ['x'],
		title: 'Export what is shown, as CSV or JSON, to a file or the clipboard',
		hint: 'export',
		contexts: ['organization'],
	},
	{
		action: 'copy-page',
		keys: ['y'],
		title: "Copy the list or the page's tables as CSV",
		contexts: ['organization'],
	},
] as const;
