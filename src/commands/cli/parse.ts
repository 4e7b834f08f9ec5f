import {UsageError} from './errors.ts';
import {cliStrings} from './strings.ts';
import {type Command, type Flag, globalFlags, screenFlags} from './table.ts';

const {oneOf, wholeNumber, wrongValue} = cliStrings.usage;

/** The flags of one command line, limited to the command's own table. */
export type Flags = {
	is(name: string): boolean;
	/** True when `--no-NAME` was given. */
	isDenied(name: string): boolean;
	text(name: string): string | undefined;
	/** One of the allowed values. */
	choice<Value extends string>(name: string, allowed: readonly Value[]): Value | undefined;
	/** The values of a repeated flag, in order; empty when absent. */
	list(name: string): readonly string[];
	/** A whole number within bounds. */
	count(name: string, bounds: {min: number; max: number}): number | undefined;
};

export type Parsed = {readonly words: readonly string[]; readonly flags: Flags};

/**
 * Parses a command line for a command, or for the screen. Flags may stand anywhere before `--`. Everything
 * after `--` is text, as are `-` and words that start with a dash and a digit. Throws `UsageError`.
 */
export async function parse(argv: readonly string[], command?: Command): Promise<Parsed> {
	const known = [...globalFlags, ...(command ? command.flags : screenFlags)];
	const {words, flags, denied} = split(argv, known, command);
	return {words, flags: asFlags(await readFlags(flags, known), denied)};
}

type CommandLine = {
	readonly words: readonly string[];
	/** Each with its value (`--name=value`), or a switch. */
	readonly flags: readonly string[];
	/** Names of flags given as `--no-NAME`. */
	readonly denied: ReadonlySet<string>;
};

/**
 * Separates flags from words. The library accepts unknown flags, a missing value, a switch with a value and
 * text that starts with a dash; a typo in a script must fail instead.
 */
function split(argv: readonly string[], known: readonly Flag[], command?: Command): CommandLine {
	const words: string[] = [];
	const flags: string[] = [];
	const given = new Set<string>();
	const denied = new Set<string>();
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
			({name, without}) => form === `--${name}` || (without && form === `--no-${name}`),
		);
		if (!flag) throw new UsageError(unknownFlag(form, command));
		const isDenied = form !== `--${flag.name}`;
		if ((isDenied ? given : denied).has(flag.name))
			throw new UsageError(cliStrings.usage.conflict(`--${flag.name}`, `--no-${flag.name}`));
		(isDenied ? denied : given).add(flag.name);
		if (isDenied || !flag.value) {
			if (inline !== undefined) throw new UsageError(cliStrings.usage.noValue(form));
			if (!isDenied) flags.push(form);
			continue;
		}
		const next = argv[index + 1];
		const value = inline ?? (next?.startsWith('-') ? undefined : next);
		if (!value) throw new UsageError(cliStrings.usage.needsValue(form, flag.value));
		if (inline === undefined) index++;
		flags.push(`${form}=${value}`);
	}
	return {words, flags, denied};
}

type Value = string | boolean | readonly string[] | undefined;

type Values = Readonly<Record<string, Value>>;

/** Without flags the library isn't loaded: that would take 3 % of the first frame's budget. */
async function readFlags(argv: readonly string[], known: readonly Flag[]): Promise<Values> {
	if (argv.length === 0) return {};
	const {default: meow} = await import('meow');
	const entries = known.map(({name, value, isRepeated}) => [
		camelCase(name),
		{type: value ? 'string' : 'boolean', ...(isRepeated && {isMultiple: true})} as const,
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
		}).flags as Record<string, Value>;
	} catch (cause) {
		throw new UsageError((cause as Error).message, {cause});
	}
}

function unknownFlag(form: string, command?: Command): string {
	const help = command ? `quarterdeck ${command.path} --help` : 'quarterdeck --help';
	return cliStrings.usage.unknownFlag(form, help);
}

function asFlags(flags: Values, denied: ReadonlySet<string>): Flags {
	const value = (name: string) => flags[camelCase(name)];
	const text = (name: string) => {
		const found = value(name);
		return typeof found === 'string' ? found : undefined;
	};
	return {
		// meow treats `--no-wait` as the negation of a switch `--wait`.
		is: name => value(name) === true || (name.startsWith('no-') && value(name.slice(3)) === false),
		isDenied: name => denied.has(name),
		text,
		choice(name, allowed) {
			const found = text(name);
			const choice = allowed.find(one => one === found);
			if (found === undefined || choice !== undefined) return choice;
			throw new UsageError(wrongValue(`--${name}`, found, oneOf(allowed)));
		},
		list(name) {
			const found = value(name);
			return Array.isArray(found) ? found : [];
		},
		count(name, {min, max}) {
			const found = text(name);
			if (found === undefined) return undefined;
			const number = /^\d{1,9}$/.test(found) ? Number(found) : Number.NaN;
			if (number >= min && number <= max) return number;
			throw new UsageError(wrongValue(`--${name}`, found, wholeNumber(min, max)));
		},
	};
}

function camelCase(name: string): string {
	return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
