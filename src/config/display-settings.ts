import {type DisplayPreferences, type ThemeName, themeNames} from '../domain/display.ts';
import {ConfigError} from './config-error.ts';
import type {DisplayFields} from './config-file.ts';
import type {Environment} from './folders.ts';

/** Flags of the command line that say how things are shown. */
export type DisplayFlags = {
	readonly theme?: string;
	readonly screenReader?: boolean;
	readonly reducedMotion?: boolean;
	readonly ascii?: boolean;
};

/** Flags over environment over the profile over the whole file. Throws `ConfigError`. */
export function readDisplay(
	flags: DisplayFlags,
	env: Environment,
	profile: DisplayFields,
	file: DisplayFields,
): DisplayPreferences {
	const theme = named('--theme', flags.theme) ?? named('QUARTERDECK_THEME', env.QUARTERDECK_THEME);
	const ascii = flags.ascii ?? profile.ascii ?? file.ascii;
	return {
		theme: theme ?? profile.theme ?? file.theme ?? (refusesColors(env) ? 'none' : 'auto'),
		screenReader:
			flags.screenReader ??
			asked(env.INK_SCREEN_READER) ??
			profile.screenReader ??
			file.screenReader ??
			false,
		reducedMotion: flags.reducedMotion ?? profile.reducedMotion ?? file.reducedMotion ?? false,
		...(ascii !== undefined && {ascii}),
	};
}

function named(from: string, name: string | undefined): ThemeName | undefined {
	if (!name) return undefined;
	const found = themeNames.find(theme => theme === name);
	if (found) return found;
	throw new ConfigError(`${from} is ${name}: the themes are ${themeNames.join(', ')}`);
}

/** What is chosen for this program goes before the wish for all of them (no-color.org), and so does `FORCE_COLOR`. */
function refusesColors({NO_COLOR, FORCE_COLOR}: Environment): boolean {
	return Boolean(NO_COLOR) && FORCE_COLOR === undefined;
}

/** Ink's own variable for programs like this: `true`. */
function asked(value: string | undefined): boolean | undefined {
	return value ? value === 'true' || value === '1' : undefined;
}
