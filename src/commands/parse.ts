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
	const words: string[] = [];
	const values = new Map<string, string[]>();
	for (let index = 0; index < argv.length; index++) {
		const part = argv[index] ?? '';
		if (part === '--') {
			words.push(...argv.slice(index + 1));
			break;
		}
		const [, dashes, name, given] = flagForm.exec(part) ?? [];
		if (!name) {
			words.push(part);
			continue;
		}
		const flag = dashes === '--' ? known.find(one => one.name === name) : undefined;
		if (!flag) throw new UsageError(unknownFlag(`${dashes}${name}`, command));
		const takesNext = flag.value !== undefined && given === undefined && !argv[index + 1]?.startsWith('-');
		add(values, flag, takesNext ? argv[++index] : given);
	}
	return {words, flags: asFlags(values)};
}

/** A negative number is a word. */
const flagForm = /^(--?)([^-=\d][^=]*)(?:=(.*))?$/s;

function add(values: Map<string, string[]>, flag: Flag, value: string | undefined): void {
	const {name} = flag;
	if (!flag.value && value !== undefined) throw new UsageError(`--${name} takes no value`);
	if (flag.value && !value) throw new UsageError(`--${name} needs a value: --${name}=${flag.value}`);
	const before = values.get(name) ?? [];
	if (flag.value && before.length > 0 && !flag.isRepeated)
		throw new UsageError(`--${name} can only be set once`);
	values.set(name, [...before, value ?? '']);
}

function unknownFlag(form: string, command?: Command): string {
	const help = command ? `quarterdeck ${command.path} --help` : 'quarterdeck --help';
	return `there is no flag ${form} here: see ${help} (text that starts with a dash goes after --)`;
}

function asFlags(values: ReadonlyMap<string, readonly string[]>): Flags {
	const text = (name: string) => values.get(name)?.[0];
	return {
		is: name => values.has(name),
		text,
		list: name => values.get(name) ?? [],
		count(name, {min, max}) {
			const found = text(name);
			if (found === undefined) return undefined;
			const number = /^\d{1,9}$/.test(found) ? Number(found) : Number.NaN;
			if (number >= min && number <= max) return number;
			throw new UsageError(`--${name} is ${found}: it must be a whole number from ${min} to ${max}`);
		},
	};
}
