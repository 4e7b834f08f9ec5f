import {
	type DisplayPreferences,
	type OwnColors,
	parseColor,
	type ThemeName,
	themeNames,
} from '../domain/display.ts';
import {ConfigError} from './config-error.ts';
import type {DisplayFields} from './config-file.ts';
import type {Environment} from './folders.ts';

export type DisplayFlags = {
	readonly theme?: string;
	readonly screenReader?: boolean;
	readonly reducedMotion?: boolean;
	readonly ascii?: boolean;
};

/**
 * Reads the display settings: flags override the environment, then the profile, then the file's top level.
 * Throws `ConfigError`.
 */
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
		ownColors: ownColors(profile.colors ?? file.colors),
		screenReader:
			flags.screenReader ??
			readBoolean(env.INK_SCREEN_READER) ??
			profile.screenReader ??
			file.screenReader ??
			false,
		reducedMotion: flags.reducedMotion ?? profile.reducedMotion ?? file.reducedMotion ?? false,
		ascii,
	};
}

function ownColors(colors: DisplayFields['colors']): OwnColors | undefined {
	return colors && Object.fromEntries(Object.entries(colors).map(([name, text]) => [name, parseColor(text)]));
}

function named(from: string, name: string | undefined): ThemeName | undefined {
	if (!name) return undefined;
	const found = themeNames.find(theme => theme === name);
	if (found) return found;
	throw new ConfigError(`${from} is ${name}: the themes are ${themeNames.join(', ')}`);
}

/** Whether NO_COLOR applies (no-color.org): this program's own settings and `FORCE_COLOR` override it. */
function refusesColors({NO_COLOR, FORCE_COLOR}: Environment): boolean {
	return Boolean(NO_COLOR) && FORCE_COLOR === undefined;
}

/** Parses Ink's INK_SCREEN_READER variable: `true` or `1`. */
function readBoolean(value: string | undefined): boolean | undefined {
	return value ? value === 'true' || value === '1' : undefined;
}
