import {type KeySource, keyVariable} from './key-source.ts';

/** What to do when the service rejects the key, depending on where the key comes from. */
export function keyAdvice(source: KeySource): string {
	switch (source.kind) {
		case 'environment':
			return `Set ${keyVariable} to a valid key and start again.`;
		case 'file':
			return `Put a valid key in ${source.file} and try again.`;
		case 'command':
			return `Make the key command print a valid key and try again: ${commandText(source.command)}`;
	}
}

function commandText(command: string | readonly string[]): string {
	return typeof command === 'string' ? command : command.join(' ');
}
