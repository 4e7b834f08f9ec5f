import {stateFolder} from '../../config/folders.ts';
import {prepareStateFolder, refuseForeignFolder} from '../../config/ownership.ts';
import type {DisplayFlags, SettingsInput} from '../../config/settings.ts';
import type {LogFile} from '../../log/log-file.ts';
import {withSourceLines} from '../../term/crash-report.ts';
import type {Wiring} from '../../wiring.ts';
import {createOutput, type Output} from '../output/output.ts';
import type {Command} from './command.ts';
import {type ExitCode, exitCodeOf, exitCodes, UsageError} from './errors.ts';
import {findCommand, leadingWords, unknownCommand, usage} from './help.ts';
import {watchInterrupts} from './interrupts.ts';
import {type Flags, parse} from './parse.ts';
import {cliStrings} from './strings.ts';
import {type System, thisProcess} from './system.ts';

/**
 * Runs one command line, for the screen or a headless command, and returns the exit code. Calls `started` once,
 * when startup is done.
 */
export async function run(
	argv: readonly string[],
	started: () => void,
	system: System = thisProcess(),
): Promise<number> {
	const {env, home} = system;
	const output = createOutput(argv.includes('--json'), system);
	// A closed stderr loses messages only.
	system.stderr.on('error', () => undefined);
	let log: LogFile | undefined;
	try {
		const words = leadingWords(argv);
		const command = findCommand(words);
		if (!command && words.length > 0) throw new UsageError(await unknownCommand(words));
		const parsed = await parse(argv, command);
		const {flags} = parsed;
		log = await startLog(
			flags.is('debug') ? 'debug' : env.QUARTERDECK_DEBUG,
			stateFolder(env, home),
			output.note,
		);
		const input: SettingsInput = {
			flags: {
				local: flags.is('local'),
				profile: flags.text('profile'),
				...displayFlags(flags),
			},
			env,
			home,
		};
		if (!command) {
			const {runScreen} = await import('./screen.ts');
			return await runScreen(system, input, flags, started);
		}
		const code = await runCommand(command, parsed, {system, input, output});
		started();
		return code;
	} catch (error) {
		const code = exitCodeOf(error);
		// No need to report an interrupt to the user who caused it.
		if (code !== exitCodes.interrupted) report(output, error);
		return code;
	} finally {
		log?.close();
	}
}

/** Starts the debug log at the level in `setting`, if any. A log that can't be written doesn't stop the program. */
async function startLog(
	setting: string | undefined,
	folder: string,
	note: (text: string) => void,
): Promise<LogFile | undefined> {
	if (!setting) return undefined;
	const {openLogFile, readLogLevel} = await import('../../log/log-file.ts');
	const failed = (error: Error) => note(cliStrings.run.noDebugLog(error.message));
	try {
		const level = readLogLevel(setting);
		if (!level) return undefined;
		refuseForeignFolder(folder);
		prepareStateFolder(folder);
		const file = openLogFile(folder, level, failed);
		note(cliStrings.run.debugLog(file.path));
		return file;
	} catch (error) {
		failed(error as Error);
		return undefined;
	}
}

/** A flag that isn't given is undefined, so that the environment or the configuration decides. */
function displayFlags(flags: Flags): DisplayFlags {
	return {
		theme: flags.text('theme'),
		screenReader: flags.is('screen-reader') || undefined,
		reducedMotion: flags.is('reduced-motion') || undefined,
		ascii: flags.is('ascii') || undefined,
	};
}

async function runCommand(
	command: Command,
	{words, flags}: Awaited<ReturnType<typeof parse>>,
	{system, input, output}: {readonly system: System; readonly input: SettingsInput; readonly output: Output},
): Promise<ExitCode> {
	const given = words.slice(command.path.split(' ').length);
	const minArgs = command.args.filter(name => !name.startsWith('[')).length;
	const isVariadic = command.args.some(name => name.replace(']', '').endsWith('...'));
	const hasRightCount = given.length >= minArgs && (isVariadic || given.length <= command.args.length);
	if (!hasRightCount || given.slice(0, -1).includes('')) {
		throw new UsageError(cliStrings.usage.wrongArguments(usage(command), command.argsAdvice));
	}
	const execute = await command.load();
	const interrupts = watchInterrupts(system, bug => report(output, bug));
	const interruptible = {...input, signal: interrupts.signal};
	let wiring: Promise<Wiring> | undefined;
	const wire = (chosen: SettingsInput = interruptible) => {
		wiring ??= import('./wire-command.ts').then(({wireCommand}) =>
			wireCommand(chosen, system.clock, output, command.onlyReads),
		);
		return wiring;
	};
	let args: readonly string[] = given;
	try {
		if (given.length > 0 && isOfSession(command)) {
			const {withSessionIds} = await import('./named-session.ts');
			args = await withSessionIds(command, given, wire);
		}
		const code = await execute({
			args,
			flags,
			output,
			input: interruptible,
			wiring: wire,
			system,
			clock: system.clock,
			signal: interrupts.signal,
		});
		if (!interrupts.signal.aborted) await output.flush(interrupts.signal);
		interrupts.checkFailure();
		return code;
	} catch (error) {
		interrupts.checkFailure();
		// A reader that closed stdout is not an error.
		if (interrupts.isOutputClosed() && exitCodeOf(error) === exitCodes.interrupted) return exitCodes.done;
		throw error;
	} finally {
		await wiring?.then(
			one => one.close(),
			() => undefined,
		);
		interrupts.stop();
	}
}

const isOfSession = ({path}: Command) => ['sessions', 'messages', 'send'].includes(path.split(' ')[0] ?? '');

/** Reports an expected error in one line; anything else is a bug, reported with its stack. */
function report(output: Output, error: unknown): void {
	output.note(error instanceof Error ? error.message : String(error));
	if (!(error instanceof Error) || !isBug(error)) return;
	const [, ...stackLines] = withSourceLines(error.stack ?? '').split('\n');
	for (const line of stackLines) output.note(line.trim());
}

function isBug(error: Error): boolean {
	return [Error, TypeError, RangeError, ReferenceError, SyntaxError].some(
		bug => error.constructor === bug && (error as NodeJS.ErrnoException).code === undefined,
	);
}
