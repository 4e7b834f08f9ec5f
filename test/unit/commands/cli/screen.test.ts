import {expect, test} from 'vitest';
import {parse} from '../../../../src/commands/cli/parse.ts';
import {runScreen} from '../../../../src/commands/cli/screen.ts';

const input = {flags: {local: true}, env: {TERM: 'dumb'}, home: '/nowhere'};

const {stdin, stdout} = process;
const opening = async (...argv: readonly string[]) =>
	runScreen({stdin, stdout, folder: '/'}, input, (await parse(argv)).flags, () => {});

test('refuses an unknown view and names the known ones', async () => {
	await expect(opening('--view', 'nosuch')).rejects.toThrow(
		/unknown view nosuch: the views are work, .*events/,
	);
});

test.each(['events', 'Work', '7'])('accepts the view %s: only the terminal is in the way', async view => {
	await expect(opening('--view', view)).rejects.toThrow(/terminal|TERM|TTY/i);
});
