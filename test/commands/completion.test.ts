import {expect, test} from 'vitest';
import {commands} from '../../src/commands/cli/table.ts';
import {commandsAt} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';

test.each(['bash', 'zsh', 'fish'])('the completion of %s names every command and every flag', async shell => {
	const {code, stdout} = await commandsAt(temporaryFolder()).run(['completion', shell]);
	expect(code).toBe(0);
	for (const {path, flags} of commands) {
		for (const word of path.split(' ')) expect(stdout).toContain(word);
		for (const {name} of flags) expect(stdout).toContain(shell === 'fish' ? `-l ${name}` : `--${name}`);
	}
});

test('an unsupported shell is refused by naming the supported ones', async () => {
	expect(await commandsAt(temporaryFolder()).run(['completion', 'tcsh'])).toMatchObject({
		code: 2,
		stdout: '',
		stderr: 'quarterdeck: no completion for tcsh: choose bash, zsh or fish\n',
	});
});
