import {safe} from '../../text/cells/safe.ts';

export const strings = {
	hint: safe`Write to the agent`,
	shellHint: safe`A command for the shell, such as ls -la`,
	suggestions: {
		files: safe`Files`,
		filesHere: safe`Files on this machine`,
		prompts: safe`Prompts and commands`,
		folders: safe`Folders`,
		image: safe`Attach this image?`,
	},
	changedElsewhere: 'Another program changed this draft; nothing was sent: check it and send again',
};
