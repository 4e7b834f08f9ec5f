import type {Result} from '../../../actions/notify.ts';

/** What was typed or chosen, by the field's name. */
export type Values = Readonly<Record<string, string>>;

export type Field = {
	readonly name: string;
	readonly label: string;
	readonly hint: string;
	/** The initial text; typing replaces it, unless it is a list. */
	readonly start: string;
	readonly isSecret?: boolean;
	/** When present, the value must be one of these; left, right and space cycle through them. */
	readonly choices?: readonly Choice[];
	/** The problem with a value, as a sentence; called on each change. */
	readonly check?: (value: string, values: Values) => string | undefined;
	/** Derives the value from the other fields until the user edits it. */
	readonly follows?: (values: Values) => string;
	/** Longest value, in characters; the current length is shown beside the hint. */
	readonly maxLength?: number;
	/** What is typed adds to the value. */
	readonly isList?: true;
};

export type Choice = {readonly value: string; readonly label: string};

export type Form = {
	readonly title: string;
	/** What submitting it does, in a word. */
	readonly submit: string;
	/** A sentence above the fields. */
	readonly intro?: string;
	/** Name of the field that has the focus first; by default, the first one. */
	readonly startsAt?: string;
	/** Describes the work while submitting; by default, waiting for the service. */
	readonly busy?: string;
	/** The fields beside these values, `{}` at first. Those before a choice keep their position, whatever is chosen. */
	readonly fields: (values: Values) => readonly Field[];
	/**
	 * Keeps the text of a canceled form under this name. A change of what exists has none: the next change would bring the
	 * text along unseen.
	 */
	readonly keptAs?: string;
	readonly run: (values: Values, signal: AbortSignal) => Promise<FormResult>;
};

/** When done, `value` shows what there is now; it isn't called if the user has moved on. */
export type FormResult =
	| Result<(() => void) | undefined>
	| (Extract<Result<never>, {readonly isDone: false}> & {
			/** To do it nevertheless. */
			readonly question: {
				readonly title: string;
				readonly text: string;
				readonly yes: (signal: AbortSignal) => Promise<FormResult>;
			};
	  });
