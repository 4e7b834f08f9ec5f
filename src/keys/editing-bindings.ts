const edit = {contexts: ['composer', 'form'], isMotion: true} as const;

/**
 * Shell-style keys of every editable text. Keys that tmux may intercept (Ctrl+A, Ctrl+B) are never the only
 * ones for an action.
 */
export const editingBindings = [
	{...edit, action: 'left', keys: ['left', 'ctrl+b'], title: 'Character left'},
	{...edit, action: 'right', keys: ['right', 'ctrl+f'], title: 'Character right'},
	{...edit, action: 'word-left', keys: ['ctrl+left', 'alt+left', 'alt+b'], title: 'Word left'},
	{...edit, action: 'word-right', keys: ['ctrl+right', 'alt+right', 'alt+f'], title: 'Word right'},
	{...edit, action: 'line-start', keys: ['home', 'ctrl+a'], title: 'Start of the line'},
	{...edit, action: 'line-end', keys: ['end', 'ctrl+e'], title: 'End of the line'},
	{...edit, action: 'text-start', keys: ['ctrl+home', 'alt+<'], title: 'Start of the text'},
	{...edit, action: 'text-end', keys: ['ctrl+end', 'alt+>'], title: 'End of the text'},
	{
		...edit,
		action: 'delete-back',
		keys: ['backspace', 'shift+backspace'],
		title: 'Delete the previous character; in an empty composer: the last attachment',
	},
	{...edit, action: 'delete-forward', keys: ['delete', 'ctrl+d'], title: 'Delete the next character'},
	{...edit, action: 'delete-blank-back', keys: ['ctrl+w'], title: 'Delete back to the last space'},
	{
		...edit,
		action: 'delete-word-back',
		keys: ['alt+backspace', 'ctrl+backspace'],
		title: 'Delete the previous word',
	},
	{
		...edit,
		action: 'delete-word-forward',
		keys: ['alt+d', 'ctrl+delete', 'alt+delete'],
		title: 'Delete the next word',
	},
	{...edit, action: 'delete-to-line-start', keys: ['ctrl+u'], title: 'Delete to the start of the line'},
	{...edit, action: 'delete-to-line-end', keys: ['ctrl+k'], title: 'Delete to the end of the line'},
	{...edit, action: 'yank', keys: ['ctrl+y'], title: 'Paste the last deleted text'},
	{...edit, action: 'yank-pop', keys: ['alt+y'], title: 'After {yank}: the text deleted before that'},
	{...edit, action: 'transpose', keys: ['ctrl+t'], title: 'Swap two characters'},
	{...edit, action: 'undo-edit', keys: ['ctrl+_', 'ctrl+/', 'ctrl+-'], title: 'Undo'},
	{...edit, action: 'redo-edit', keys: ['alt+_', 'alt+-'], title: 'Redo'},
] as const;
