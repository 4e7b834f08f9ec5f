import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {commands} from '../../src/commands/cli/table.ts';
import {topics} from '../../src/commands/cli/topics.ts';
import {cliAt} from '../support/cli.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {builtCli} from '../support/program.ts';
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
	['quarterdeck usage tools --group-by to', 'quarterdeck usage tools --group-by tool_name '],
	['quarterdeck messages s --role=assi', 'quarterdeck messages s --role=assistant '],
	['quarterdeck send s --file notes.', 'quarterdeck send s --file notes.txt '],
	['quarterdeck help machi', 'quarterdeck help machines '],
	['qd --vi', 'qd --view '],
] as const;

describe.each(Object.entries(shells))('%s', (shell, args) => {
	test.skipIf(!isThere(shell))(
		`completes in the real shell (skipped where ${shell} is missing)`,
		async () => {
			const cli = cliAt(temporaryFolder());
			const {stdout} = await cli.run(['completion', shell]);
			const program = `#!/bin/sh\nexec '${process.execPath}' '${builtCli}' "$@"\n`;
			writeFileSync(join(cli.home, 'quarterdeck'), program, {mode: 0o755});
			writeFileSync(join(cli.home, 'completion'), stdout);
			writeFileSync(join(cli.home, 'notes.txt'), '');
			const terminal = openTerminal({
				command: shell,
				args: [...args],
				cwd: cli.home,
				env: {PATH: `${cli.home}:${process.env.PATH}`, HOME: cli.home, PS1: '> ', LANG: 'C.UTF-8'},
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

const dist = join(import.meta.dirname, '../../dist');
const pages = ['quarterdeck.1', ...Object.keys(topics).map(topic => `quarterdeck-${topic}.7`)];

test.skipIf(!isThere('groff'))(
	'the man pages are formatted without a warning (skipped where groff is missing)',
	() => {
		const {stdout, stderr, status} = spawnSync('groff', ['-man', '-ww', '-Tutf8', '-P-cbou', ...pages], {
			cwd: dist,
			timeout: 60_000,
			encoding: 'utf8',
		});
		expect({stderr, status}).toEqual({stderr: '', status: 0});
		expect(stdout.match(/^NAME\n +quarterdeck.* - /gm)).toHaveLength(pages.length);
		expect(stdout).not.toMatch(/\*\*|<!--|\\f/);
	},
);

test.skipIf(!isThere('man'))('man shows the first page and a topic (skipped where man is missing)', () => {
	const files = pages.slice(0, 2).map(name => join(dist, name));
	const {stdout, status} = spawnSync('man', ['-l', ...files], {timeout: 60_000, encoding: 'utf8'});
	expect(status).toBe(0);
	expect(stdout.match(/^NAME$/gm)).toHaveLength(files.length);
});

test.skipIf(!isThere('groff'))('the man pages have all commands and exit codes', () => {
	const page = (name: string) =>
		spawnSync('groff', ['-man', '-Tascii', '-P-cbou', join(dist, name)], {
			timeout: 60_000,
			encoding: 'utf8',
		}).stdout;
	const all = page('quarterdeck.1');
	for (const {path} of commands) expect(all).toContain(`   ${path}`);
	expect(all).toContain('--no-auto-install-deps');
	expect(all).toMatch(/124 +--timeout or --wait-timeout expired/);
	expect(page('quarterdeck-exit-codes.7')).toMatch(/124 +--timeout or --wait-timeout expired/);
	expect(page('quarterdeck-configuration.7')).toMatch(/pollBudget\n +the +most +requests/);
});
