import {expect, test} from 'vitest';
import {candidates} from '../../src/commands/cli/completion.ts';
import {commands} from '../../src/commands/cli/table.ts';
import {commandsAt} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';

test('every command and every flag is completed', () => {
	const after = (...words: string[]) => candidates(words).map(([word]) => word);
	for (const {path, flags} of commands) {
		const words = path.split(' ');
		for (const [index, word] of words.entries()) expect(after(...words.slice(0, index), '')).toContain(word);
		for (const {name} of flags) expect(after(...words, '-')).toContain(`--${name}`);
	}
});

test('an unsupported shell is refused by naming the supported ones', async () => {
	expect(await commandsAt(temporaryFolder()).run(['completion', 'tcsh'])).toMatchObject({
		code: 2,
		stdout: '',
		stderr: 'quarterdeck: no completion for tcsh: choose bash, zsh or fish\n',
	});
});
