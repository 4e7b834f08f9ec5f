import {ownProgram} from '../../domain/own-program.ts';
import type {Command, Flag} from './command.ts';
import {UsageError} from './errors.ts';
import {globalFlags, screenFlags} from './flags.ts';
import {cliStrings} from './strings.ts';

const {oneOf, wholeNumber, wrongValue} = cliStrings.usage;

export type Flags = ReturnType<typeof flagReader>;

/**
 * Parses a command line for a command, or for the screen. Flags may stand anywhere before `--`. Everything
 * after `--` is text, as are `-` and words that start with a dash and a digit. Throws `UsageError`.
 */
export async function parse(argv: readonly string[], command?: Command) {
	const known = [...globalFlags, ...(command ? command.flags : screenFlags)];
	const {words, flags, given, negated} = split(argv, known, command);
	const values = await readFlags(flags, known);
	// The screen checks its own, which may also be written in other ways.
	if (command) for (const flag of command.flags) checkValue(flag, values[camelCase(flag.name)]);
	return {words, flags: flagReader(values, given, negated)};
}

/**
 * Separates flags from words. The library accepts unknown flags, a missing value, a switch with a value and
 * text that starts with a dash; a typo in a script must fail instead.
 */
function split(argv: readonly string[], known: readonly Flag[], command?: Command) {
	const words: string[] = [];
	/** Each with its value (`--name=value`), or a switch. */
	const flags: string[] = [];
	/** Names of the flags written as `--NAME`, and as `--no-NAME`. */
	const given = new Set<string>();
	const negated = new Set<string>();
	for (let index = 0; index < argv.length; index++) {
		const part = argv[index] ?? '';
		if (part === '--') {
			words.push(...argv.slice(index + 1));
			break;
		}
		if (!/^-[^\d]/.test(part)) {
			words.push(part);
			continue;
		}
		const [, form = part, inline] = /^([^=]*)=(.*)$/s.exec(part) ?? [];
		const flag = known.find(
			({name, aboutNegated}) => form === `--${name}` || (aboutNegated && form === `--no-${name}`),
		);
		if (!flag) throw new UsageError(unknownFlag(form, command));
		const isNegated = form !== `--${flag.name}`;
		if ((isNegated ? given : negated).has(flag.name))
			throw new UsageError(cliStrings.usage.conflict(`--${flag.name}`, `--no-${flag.name}`));
		(isNegated ? negated : given).add(flag.name);
		if (isNegated || !flag.value) {
			if (inline !== undefined) throw new UsageError(cliStrings.usage.noValue(form));
			if (!isNegated) flags.push(form);
			continue;
		}
		const next = argv[index + 1];
		const value = inline ?? (next?.startsWith('-') ? undefined : next);
		if (!value) throw new UsageError(cliStrings.usage.needsValue(form, flag.value));
		if (inline === undefined) index++;
		flags.push(`${form}=${value}`);
	}
	return {words, flags, given, negated};
}

type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** Without flags the library isn't loaded: that would take 3 % of the first frame's budget. */
async function readFlags(argv: readonly string[], known: readonly Flag[]): Promise<Values> {
	if (argv.length === 0) return {};
	const {default: meow} = await import('meow');
	const entries = known.map(({name, value, isRepeated}) => [
		camelCase(name),
		{type: value ? 'string' : 'boolean', isMultiple: isRepeated} as const,
	]);
	try {
		return meow({
			importMeta: import.meta,
			argv,
			flags: Object.fromEntries(entries),
			booleanDefault: undefined,
			autoHelp: false,
			autoVersion: false,
			// Otherwise it looks for a package.json to name the process after.
			pkg: {name: 'quarterdeck'},
		}).flags as Values;
	} catch (cause) {
		throw new UsageError((cause as Error).message, {cause});
	}
}

function unknownFlag(form: string, command?: Command): string {
	const help = `${ownProgram}${command ? ` ${command.path}` : ''} --help`;
	return cliStrings.usage.unknownFlag(form, help);
}

/** Throws `UsageError` for a value that the flag doesn't take, before the command does anything. */
function checkValue({name, choices, range}: Flag, found: Values[string]): void {
	for (const value of Array.isArray(found) ? found : [found]) {
		if (typeof value !== 'string') continue;
		if (choices && !choices.includes(value))
			throw new UsageError(wrongValue(`--${name}`, value, oneOf(choices)));
		const isWhole = /^\d{1,9}$/.test(value);
		if (range && !(isWhole && Number(value) >= range.min && Number(value) <= range.max))
			throw new UsageError(wrongValue(`--${name}`, value, wholeNumber(range.min, range.max)));
	}
}

function flagReader(flags: Values, given: ReadonlySet<string>, negated: ReadonlySet<string>) {
	const value = (name: string) => flags[camelCase(name)];
	const text = (name: string) => {
		const found = value(name);
		return typeof found === 'string' ? found : undefined;
	};
	return {
		/** Whether the flag was written. Not read from meow, which takes `--no-wait` as the negation of `--wait`. */
		is: (name: string) => given.has(name),
		/** Whether the flag was written as `--no-NAME`. */
		isNegated: (name: string) => negated.has(name),
		text,
		choice<Value extends string>(name: string, choices: readonly Value[]): Value | undefined {
			return choices.find(choice => choice === text(name));
		},
		/** The values of a repeated flag, in order; empty when absent. */
		list(name: string): readonly string[] {
			const found = value(name);
			return Array.isArray(found) ? found : [];
		},
		/** The whole number of a flag with a `range`. */
		count(name: string): number | undefined {
			const found = text(name);
			return found === undefined ? undefined : Number(found);
		},
	};
}

function camelCase(name: string): string {
	return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
