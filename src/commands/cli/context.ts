import type {SettingsInput} from '../../config/settings.ts';
import type {Clock} from '../../domain/clock.ts';
import type {Wiring} from '../../wiring.ts';
import type {Output} from '../output/output.ts';
import type {ExitCode} from './errors.ts';
import type {Flags} from './parse.ts';
import type {System} from './system.ts';

export type CommandContext = {
	readonly args: readonly string[];
	readonly flags: Flags;
	readonly output: Output;
	/** Flags, environment and home folder, for commands that read the settings themselves. */
	readonly input: SettingsInput;
	/** Reads the configuration and wires the parts on the first call, which may choose another input. Throws `ConfigError`. */
	wiring(input?: SettingsInput): Promise<Wiring>;
	/** The streams, the working folder, the program's own file and its process. */
	readonly system: Pick<System, 'stdin' | 'stdout' | 'stderr' | 'folder' | 'script' | 'pid'>;
	readonly clock: Clock;
	/** Aborted when the user or the system ends the command, or when stdout's reader has exited. */
	readonly signal: AbortSignal;
};

/** A headless command: writes data to the output, returns the exit code and throws on failure. */
export type CommandRun = (context: CommandContext) => Promise<ExitCode>;
