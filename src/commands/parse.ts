import meow from 'meow';
import {type Command, type Flag, globalFlags, screenFlags} from './table.ts';
import {UsageError} from './usage-error.ts';

/** The flags of one command line. Only those of the command's own table can be asked for. */
export type Flags = {
	is(name: string): boolean;
	text(name: string): string | undefined;
	/** The values of a repeated flag, in order; empty when it was not given. */
	list(name: string): readonly string[];
	/** A whole number within bounds. */
	count(name: string, bounds: {min: number; max: number}): number | undefined;
};

export type Parsed = {readonly words: readonly string[]; readonly flags: Flags};

/** Parses and checks a command line against a command, or against the screen's flags. Throws `UsageError`. */
export function parse(argv: readonly string[], command?: Command): Parsed {
	const known = [...globalFlags, ...(command ? command.flags : screenFlags)];
	checkForms(argv, known, command);
	const {input, flags} = readFlags(argv, known);
	return {words: input, flags: asFlags(flags)};
}

type Value = string | boolean | readonly string[] | undefined;

function readFlags(argv: readonly string[], known: readonly Flag[]) {
	const entries = known.map(({name, value, isRepeated}) => [
		camelCase(name),
		{type: value ? 'string' : 'boolean', ...(isRepeated && {isMultiple: true})} as const,
	]);
	try {
		const {input, flags} = meow({
			importMeta: import.meta,
			argv,
			flags: Object.fromEntries(entries),
			booleanDefault: undefined,
			autoHelp: false,
			autoVersion: false,
			// The title of the process would show the words of a message otherwise.
			pkg: {name: 'quarterdeck'},
		});
		return {input, flags: flags as Record<string, Value>};
	} catch (cause) {
		throw new UsageError((cause as Error).message, {cause});
	}
}

/** The parser forgives unknown flags, a flag without its value and a switch with one; a script's slip must not go by. */
function checkForms(argv: readonly string[], known: readonly Flag[], command?: Command): void {
	for (const [index, part] of argv.entries()) {
		if (part === '--') return;
		const [, dashes, name, given] = /^(--?)([^-=\d][^=]*)(?:=(.*))?$/s.exec(part) ?? [];
		if (!name) continue;
		const flag = dashes === '--' ? known.find(one => one.name === name) : undefined;
		if (!flag) throw new UsageError(unknownFlag(`${dashes}${name}`, command));
		const next = argv[index + 1];
		const value = given ?? (next?.startsWith('-') ? undefined : next);
		if (flag.value && !value) throw new UsageError(`--${name} needs a value: --${name}=${flag.value}`);
		if (!flag.value && given !== undefined) throw new UsageError(`--${name} takes no value`);
	}
}

function unknownFlag(form: string, command?: Command): string {
	const help = command ? `quarterdeck ${command.path} --help` : 'quarterdeck --help';
	return `there is no flag ${form} here: see ${help} (text that starts with a dash goes after --)`;
}

function asFlags(flags: Readonly<Record<string, Value>>): Flags {
	const value = (name: string) => flags[camelCase(name)];
	const text = (name: string) => {
		const found = value(name);
		return typeof found === 'string' ? found : undefined;
	};
	return {
		is: name => value(name) === true,
		text,
		list(name) {
			const found = value(name);
			return Array.isArray(found) ? found : [];
		},
		count(name, {min, max}) {
			const found = text(name);
			if (found === undefined) return undefined;
			const number = /^\d{1,9}$/.test(found) ? Number(found) : Number.NaN;
			if (number >= min && number <= max) return number;
			throw new UsageError(`--${name} is ${found}: it must be a whole number from ${min} to ${max}`);
		},
	};
}

function camelCase(name: string): string {
	return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
