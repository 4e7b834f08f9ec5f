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
export function parse(argv: readonly string[], command?: Command) {
	const known = [...globalFlags, ...(command ? command.flags : screenFlags)];
	const words: string[] = [];
	/** The values of the flags written as `--NAME`, none for a switch; and the names of those written as `--no-NAME`. */
	const given = new Map<string, string[]>();
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
		const {name} = flag;
		const isNegated = form !== `--${name}`;
		if (isNegated ? given.has(name) : negated.has(name))
			throw new UsageError(cliStrings.usage.conflict(`--${name}`, `--no-${name}`));
		if (isNegated || !flag.value) {
			if (inline !== undefined) throw new UsageError(cliStrings.usage.noValue(form));
			if (isNegated) negated.add(name);
			else given.set(name, []);
			continue;
		}
		const next = argv[index + 1];
		const value = inline ?? (next?.startsWith('-') ? undefined : next);
		if (!value) throw new UsageError(cliStrings.usage.needsValue(form, flag.value));
		if (inline === undefined) index++;
		const before = given.get(name) ?? [];
		if (before.length > 0 && !flag.isRepeated) throw new UsageError(cliStrings.usage.onlyOnce(form));
		// The screen checks its own, which may also be written in other ways.
		if (command?.flags.includes(flag)) checkValue(flag, value);
		given.set(name, [...before, value]);
	}
	return {words, flags: flagReader(given, negated)};
}

function unknownFlag(form: string, command?: Command): string {
	const help = `${ownProgram}${command ? ` ${command.path}` : ''} --help`;
	return cliStrings.usage.unknownFlag(form, help);
}

/** Throws `UsageError` for a value that the flag doesn't take, before the command does anything. */
function checkValue({name, choices, range}: Flag, value: string): void {
	if (choices && !choices.includes(value))
		throw new UsageError(wrongValue(`--${name}`, value, oneOf(choices)));
	const isWhole = /^\d{1,9}$/.test(value);
	if (range && !(isWhole && Number(value) >= range.min && Number(value) <= range.max))
		throw new UsageError(wrongValue(`--${name}`, value, wholeNumber(range.min, range.max)));
}

function flagReader(given: ReadonlyMap<string, readonly string[]>, negated: ReadonlySet<string>) {
	const text = (name: string) => given.get(name)?.[0];
	return {
		/** Whether the flag was written. */
		is: (name: string) => given.has(name),
		/** Whether the flag was written as `--no-NAME`. */
		isNegated: (name: string) => negated.has(name),
		text,
		choice<Value extends string>(name: string, choices: readonly Value[]): Value | undefined {
			return choices.find(choice => choice === text(name));
		},
		/** The values of a repeated flag, in order; empty when absent. */
		list: (name: string): readonly string[] => given.get(name) ?? [],
		/** The whole number of a flag with a `range`. */
		count(name: string): number | undefined {
			const found = text(name);
			return found === undefined ? undefined : Number(found);
		},
	};
}
