import type {Safe} from './safe.ts';

/** Colours by meaning; the theme says what each looks like. */
export type Tone =
	| 'text'
	| 'dim'
	| 'strong'
	| 'accent'
	| 'good'
	| 'warn'
	| 'bad'
	| 'info'
	| 'user'
	| 'assistant'
	| 'tool'
	| 'code'
	| 'heading'
	| 'selected'
	| 'border';

/** A run of text in one look. */
export type Span = {
	readonly text: Safe;
	readonly tone?: Tone;
	readonly bold?: boolean;
	readonly inverse?: boolean;
};

/** One row of the screen, already cut to its width. */
export type Line = readonly Span[];
