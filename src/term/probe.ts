import type {ReadStream, WriteStream} from 'node:tty';
import type {Rgb} from '../domain/display.ts';
import {backgroundQuery, readColor} from './background.ts';
import {isInTmux} from './tmux.ts';

/** What a terminal said of itself. What it said nothing of is absent: it may know it all the same. */
export type TerminalAnswers = {
	/** Did it answer at all, in time? */
	readonly hasAnswered: boolean;
	readonly background?: Rgb;
	readonly kittyKeyboard?: boolean;
	/** Modes that were asked for: does the terminal know them? */
	readonly modes: ReadonlyMap<number, boolean>;
	/** OSC 52, by its device attributes. */
	readonly clipboard?: boolean;
	/** Columns it drew the sample in. */
	readonly width?: number;
};

/** Modes of which the screen makes use. */
export const askedModes = {mouse: 1006, focus: 1004, paste: 2004, frames: 2026, colors: 2031} as const;
/** A character of two columns, and of three letters where UTF-8 isn't understood. */
export const widthSample = '\u6f22';
export const sampleWidth = 2;

const questions = [
	'\x1b[?u',
	...Object.values(askedModes).map(mode => `\x1b[?${mode}$p`),
	`\r${widthSample}\x1b[6n\r\x1b[K`,
	// Nearly every terminal answers this one, and in order: with it no other answer comes any more.
	'\x1b[c',
].join('');
/** How long the terminal around tmux is waited for, ms. */
const aroundPatience = 300;
const last = /\x1b\[\?[\d;]*c/;

/**
 * Asks the terminal what it can, and waits at most `patience` ms for its answers. Keys typed meanwhile are lost. Both
 * streams must be terminals.
 */
export async function probeTerminal(
	stdin: ReadStream,
	stdout: Pick<WriteStream, 'write'>,
	env: NodeJS.ProcessEnv,
	patience = 1500,
): Promise<TerminalAnswers> {
	const answered = Promise.withResolvers<void>();
	let text = '';
	const take = (chunk: Buffer) => {
		text = (text + chunk.toString('latin1')).slice(-4096);
		if (!last.test(text)) return;
		// tmux answers for itself at once, the terminal around it a moment later.
		if (isInTmux(env) && !readAnswers(text).background) setTimeout(answered.resolve, aroundPatience).unref();
		else answered.resolve();
	};
	const timer = setTimeout(answered.resolve, patience);
	stdin.setRawMode(true);
	stdin.on('data', take).resume();
	stdout.write(backgroundQuery(env) + questions);
	await answered.promise;
	clearTimeout(timer);
	stdin.off('data', take).pause();
	stdin.setRawMode(false);
	return readAnswers(text);
}

/** What the answers say, in whatever order and among whatever else they came. */
export function readAnswers(text: string): TerminalAnswers {
	const background = readColor(/\x1b\]11;([^\x07\x1b]{1,64})(?:\x07|\x1b\\)/.exec(text)?.[1] ?? '');
	const attributes = /\x1b\[\?([\d;]{1,80})c/.exec(text)?.[1]?.split(';');
	const column = /\x1b\[\d{1,4};(\d{1,4})R/.exec(text)?.[1];
	const modes = [...text.matchAll(/\x1b\[\?(\d{1,5});(\d)\$y/g)].map(
		([, mode, state]) => [Number(mode), state !== '0'] as const,
	);
	const hasAnswered = attributes !== undefined;
	return {
		hasAnswered,
		...(background && {background}),
		...(hasAnswered && {kittyKeyboard: /\x1b\[\?\d{1,3}u/.test(text), clipboard: attributes.includes('52')}),
		modes: new Map(modes),
		...(column !== undefined && {width: Number(column) - 1}),
	};
}
