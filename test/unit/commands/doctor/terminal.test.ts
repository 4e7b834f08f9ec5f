import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {checkTerminal} from '../../../../src/commands/doctor/terminal.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

/** What the doctor says of the background in a terminal that doesn't tell it. */
async function saidOfBackground(env: Readonly<Record<string, string>> = {}) {
	const stdin = Object.assign(new PassThrough(), {isTTY: true, setRawMode() {}});
	const stdout = {
		isTTY: true,
		columns: 80,
		rows: 24,
		getColorDepth: () => 8,
		write: () => stdin.write('\u001B[?62c'),
	};
	const context = {
		input: {flags: {}, env: {TERM: 'xterm-256color', ...env}, home: temporaryFolder()},
		system: {stdin, stdout},
	};
	const checks = await checkTerminal(context as unknown as Parameters<typeof checkTerminal>[0]);
	return checks.find(({name}) => name === 'background')?.found;
}

test('a theme is advised only where none is set', async () => {
	expect(await saidOfBackground()).toBe(
		'unknown, assumed dark; set "theme" in the configuration to override',
	);
	expect(await saidOfBackground({QUARTERDECK_THEME: 'gruvbox'})).toBe('unknown; your theme needs none');
});
