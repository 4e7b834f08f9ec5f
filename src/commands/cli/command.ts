import type {CommandRun} from './context.ts';

/** One flag of a command. Without `value` it is a switch. */
export type Flag = {
	/** In kebab case, without dashes. */
	readonly name: string;
	/** Placeholder for the value in help, such as `NAME`. */
	readonly value?: string;
	readonly isRequired?: boolean;
	readonly isRepeated?: boolean;
	/** The one-letter form, without its dash. */
	readonly short?: string;
	/** The only allowed values; shells complete them. */
	readonly choices?: readonly string[];
	/** The value is a whole number within these bounds. */
	readonly range?: {readonly min: number; readonly max: number};
	readonly about: string;
	/** Present if `--no-NAME` is allowed: describes its effect, which is to send a switch as false or a list as empty. */
	readonly aboutNegated?: string;
};

/** One headless command. Help, parsing, completions, the man page and checks are all generated from this data. */
export type Command = Required<Pick<Description, 'args' | 'flags'>> &
	Description & {
		/** One or two words: `send`, `computers list`. */
		readonly path: string;
		/** Imports the command's code, so that no other command loads it. */
		readonly load: () => Promise<CommandRun>;
	};

type Description = {
	/** Argument names: `...` at the end means one or more, brackets mean optional. */
	readonly args?: readonly string[];
	/** A sentence for the error about a wrong number of arguments. */
	readonly argsAdvice?: string;
	/** The only allowed values of the first argument; shells complete them. */
	readonly choices?: readonly string[];
	readonly about: string;
	/** Further sentences for the command's own help and the man page. */
	readonly detail?: string;
	/** Command lines, without the program's name, for the command's own help and the man page. */
	readonly examples?: readonly string[];
	readonly flags?: readonly Flag[];
	/** Programs run it, not users: the list of all commands leaves it out. */
	readonly isInternal?: boolean;
	/** Where nothing is saved yet, it creates no files. */
	readonly onlyReads?: boolean;
	/** It tells the screen's keys, so the build puts its code into the screen's script. */
	readonly readsKeys?: boolean;
};

/** Describes one command; `load` imports its code. */
export function command(path: string, load: () => Promise<CommandRun>, description: Description): Command {
	return {args: [], flags: [], ...description, path, load};
}

/**
 * Describes commands that share their first word. Their code has a function for each verb; the verb `''` is for the
 * first word alone.
 */
export function group<Verb extends string>(
	name: string,
	load: () => Promise<Readonly<Record<NoInfer<Verb>, CommandRun>>>,
	verbs: Readonly<Record<Verb, Description>>,
): Command[] {
	return Object.entries<Description>(verbs).map(([verb, description]) =>
		command(`${name} ${verb}`.trim(), async () => (await load())[verb as Verb], description),
	);
}
