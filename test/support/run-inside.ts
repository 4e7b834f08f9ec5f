import {exitCodeOf} from '../../src/commands/cli/errors.ts';
import {findCommand, leadingWords} from '../../src/commands/cli/help.ts';
import {parse} from '../../src/commands/cli/parse.ts';
import {wireCommand} from '../../src/commands/cli/wire-command.ts';
import {createOutput} from '../../src/commands/output/output.ts';
import {systemClock} from '../../src/sync/core/clock.ts';
import type {Wiring} from '../../src/wiring.ts';
import type {CliResult} from './cli.ts';

/** A headless command as the program runs it, inside this process: a tenth of the time of a process of its own. */
export async function runInside(
	argv: readonly string[],
	env: Readonly<Record<string, string>>,
	home: string,
): Promise<CliResult> {
	const command = findCommand(leadingWords(argv));
	if (!command) throw new Error(`there is no command ${argv.join(' ')}`);
	const {words, flags} = await parse(argv, command);
	let stdout = '';
	let stderr = '';
	const output = createOutput(flags.is('json'), {
		stdout: {
			write(text, taken) {
				stdout += text;
				taken?.();
			},
		},
		stderr: {
			write(text) {
				stderr += text;
			},
		},
	});
	const {signal} = new AbortController();
	const input = {flags: {}, env, home, signal};
	let wiring: Promise<Wiring> | undefined;
	try {
		const run = await command.load();
		const code = await run({
			args: words.slice(command.path.split(' ').length),
			flags,
			output,
			input,
			wiring: () => (wiring ??= wireCommand(input, output.note)),
			clock: systemClock,
			signal,
		});
		return {code, stdout, stderr};
	} catch (error) {
		return {code: exitCodeOf(error), stdout, stderr: `${stderr}${(error as Error).message}\n`};
	} finally {
		await wiring?.then(
			one => one.close(),
			() => undefined,
		);
	}
}
