/** Forms, questions and what else stands over a view. */
export const dialogBindings = [
	{keys: ['tab', 'down'], action: 'next-field', title: 'Next field', contexts: ['form'], hint: 'next field'},
	{keys: ['shift+tab', 'up'], action: 'previous-field', title: 'Previous field', contexts: ['form']},
	{
		keys: ['enter'],
		action: 'submit',
		title: 'Next field; in the last one: do it',
		contexts: ['form'],
		hint: 'next, do it',
	},
	{keys: ['ctrl+s'], action: 'submit-now', title: 'Do it from any field', contexts: ['form'], hint: 'do it'},
	{
		keys: ['escape'],
		action: 'cancel',
		title: 'Cancel',
		contexts: ['form', 'confirm', 'help', 'details', 'go', 'search', 'blocks'],
		hint: 'cancel',
	},
	{keys: ['y', 'enter'], action: 'confirm', title: 'Yes', contexts: ['confirm'], hint: 'yes'},
	{keys: ['n'], action: 'refuse', title: 'No', contexts: ['confirm'], hint: 'no'},
	{keys: ['enter'], action: 'go-there', title: 'Go there', contexts: ['go'], hint: 'go'},
] as const;
