import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {commands} from '../../src/commands/cli/table.ts';
import {cliAt} from '../support/cli.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {openTerminal} from '../support/terminal.ts';

const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined;

/** How each shell starts without the machine's own settings. */
const shells = {
	bash: ['--norc', '--noprofile', '-i'],
	zsh: ['-f', '-i'],
	fish: ['--no-config', '-i'],
} as const;

/** What is typed before Tab, and what stands on the line after it. */
const typed = [
	['quarterdeck comput', 'quarterdeck computers '],
	['quarterdeck sessions upd', 'quarterdeck sessions update '],
	['quarterdeck --profile p computers inst', 'quarterdeck --profile p computers install-deps '],
	['quarterdeck readiness --lat', 'quarterdeck readiness --latest '],
	['quarterdeck sessions update s --no-t', 'quarterdeck sessions update s --no-tag '],
	['quarterdeck usage tools --group-by to', 'quarterdeck usage tools --group-by tool_name '],
	['quarterdeck messages s --role=assi', 'quarterdeck messages s --role=assistant '],
	['quarterdeck send s --file notes.', 'quarterdeck send s --file notes.txt '],
	['quarterdeck help computers wat', 'quarterdeck help computers watch '],
	['qd completion fi', 'qd completion fish '],
	['qd --vi', 'qd --view '],
] as const;

describe.each(Object.entries(shells))('%s', (shell, args) => {
	test.skipIf(!isThere(shell))(
		`completes in the real shell (skipped where ${shell} is missing)`,
		async () => {
			const cli = cliAt(temporaryFolder());
			const {stdout} = await cli.run(['completion', shell]);
			writeFileSync(join(cli.home, 'completion'), stdout);
			writeFileSync(join(cli.home, 'notes.txt'), '');
			const terminal = openTerminal({
				command: shell,
				args: [...args],
				cwd: cli.home,
				env: {PATH: process.env.PATH, HOME: cli.home, PS1: '> ', LANG: 'C.UTF-8'},
				rows: 12,
			});
			const load = shell === 'zsh' ? 'autoload -Uz compinit && compinit -u && ' : '';
			terminal.type(`${load}source completion && clear && echo "loaded"'!'`);
			terminal.press('enter');
			await terminal.see('loaded!');
			for (const [before, after] of typed) {
				terminal.type(before);
				await terminal.see(before);
				terminal.press('tab');
				terminal.type('@');
				await terminal.see(`${after}@`);
				terminal.press('ctrl+u');
				await terminal.gone(`${after}@`);
			}
			terminal.kill('SIGKILL');
			await terminal.exit();
		},
	);
});

describe('the man page', () => {
	const page = join(import.meta.dirname, '../../dist/quarterdeck.1');

	test.skipIf(!isThere('groff'))('is formatted without a warning (skipped where groff is missing)', () => {
		const {stdout, stderr, status} = spawnSync('groff', ['-man', '-ww', '-Tascii', '-P-cbou', page], {
			timeout: 60_000,
			encoding: 'utf8',
		});
		expect({stderr, status}).toEqual({stderr: '', status: 0});
		for (const {path} of commands) expect(stdout).toContain(`   ${path}`);
		expect(stdout).toContain('--no-auto-install-deps');
		expect(stdout).toMatch(/124 +--timeout or --wait-timeout expired/);
	});

	test.skipIf(!isThere('man'))('is found by man (skipped where man is missing)', () => {
		const {stdout, status} = spawnSync('man', ['-l', page], {timeout: 60_000, encoding: 'utf8'});
		expect(status).toBe(0);
		expect(stdout).toContain('quarterdeck');
	});
});
