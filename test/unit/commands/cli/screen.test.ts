import {expect, test} from 'vitest';
import {parse} from '../../../../src/commands/cli/parse.ts';
import {runScreen} from '../../../../src/commands/cli/screen.ts';

const input = {flags: {local: true}, env: {TERM: 'dumb'}, home: '/nowhere'};

const opening = async (...argv: readonly string[]) => runScreen(input, (await parse(argv)).flags, () => {});

test('a view that is not there is refused by the names of those that are', async () => {
	await expect(opening('--view', 'nosuch')).rejects.toThrow(
		/unknown view nosuch: the views are work, .*events/,
	);
});

test.each(['events', 'Work', '7'])('the view %s is there: only the terminal is in the way', async view => {
	await expect(opening('--view', view)).rejects.toThrow(/terminal|TERM|TTY/i);
});
