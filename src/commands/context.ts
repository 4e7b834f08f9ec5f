import type {SettingsInput} from '../config/settings.ts';
import type {Clock} from '../sync/clock.ts';
import type {Wiring} from '../wiring.ts';
import type {ExitCode} from './exit-codes.ts';
import type {Output} from './output.ts';
import type {Flags} from './parse.ts';

/** What a headless command works with. */
export type CommandContext = {
	/** The arguments, as many as the command's table names. */
	readonly args: readonly string[];
	readonly flags: Flags;
	readonly output: Output;
	/** Flags, environment and home, for what reads the settings itself. */
	readonly input: SettingsInput;
	/** Reads the configuration and puts the parts together, at the first call. Throws `ConfigError`. */
	wiring(): Promise<Wiring>;
	readonly clock: Clock;
	/** Aborted when the user or the system wants the command to end, or when no one reads stdout any more. */
	readonly signal: AbortSignal;
};

/** A headless command: its data goes to the output, its result is the exit code; it throws what went wrong. */
export type CommandRun = (context: CommandContext) => Promise<ExitCode>;
