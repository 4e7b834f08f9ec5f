import type {ReadStream, WriteStream} from 'node:tty';
import type {Rgb} from '../domain/display.ts';
import {backgroundQuery, isInTmux, readColor} from './capabilities.ts';

/** What a terminal reported about itself. A feature it didn't report is absent, but may be supported. */
export type TerminalAnswers = {
	readonly hasAnswered: boolean;
	readonly background?: Rgb;
	readonly kittyKeyboard?: boolean;
	/** Whether the terminal supports each of `queriedModes`. */
	readonly modes: ReadonlyMap<number, boolean>;
	/** Supports OSC 52, according to its device attributes. */
	readonly clipboard?: boolean;
	/** Columns that `widthSample` took. */
	readonly width?: number;
};

/** Modes that the screen uses. */
export const queriedModes = {mouse: 1006, focus: 1004, paste: 2004, frames: 2026, colors: 2031} as const;
/** A character two columns wide, or three where UTF-8 isn't supported. */
export const widthSample = '\u6f22';
export const sampleWidth = 2;

const questions = [
	'\x1b[?u',
	...Object.values(queriedModes).map(mode => `\x1b[?${mode}$p`),
	`\r${widthSample}\x1b[6n\r\x1b[K`,
	// Nearly every terminal answers this one, and in order, so no other answer follows it.
	'\x1b[c',
].join('');
/** How long to wait for the terminal around tmux, ms. */
const outerTimeout = 300;
const lastAnswer = /\x1b\[\?[\d;]*c/;

/** Queries two terminal streams for at most `timeout` ms. Keys typed meanwhile are lost. */
export async function probeTerminal(
	stdin: ReadStream,
	stdout: Pick<WriteStream, 'write'>,
	env: NodeJS.ProcessEnv,
	timeout = 1500,
): Promise<TerminalAnswers> {
	const answered = Promise.withResolvers<void>();
	let text = '';
	const receive = (chunk: Buffer) => {
		text = (text + chunk.toString('latin1')).slice(-4096);
		if (!lastAnswer.test(text)) return;
		// tmux answers immediately, the terminal around it a moment later.
		if (isInTmux(env) && !readAnswers(text).background) setTimeout(answered.resolve, outerTimeout).unref();
		else answered.resolve();
	};
	const timer = setTimeout(answered.resolve, timeout);
	stdin.setRawMode(true);
	stdin.on('data', receive).resume();
	stdout.write(backgroundQuery(env) + questions);
	await answered.promise;
	clearTimeout(timer);
	stdin.off('data', receive).pause();
	stdin.setRawMode(false);
	return readAnswers(text);
}

/** Parses the answers, in any order and mixed with other input. */
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
		background,
		kittyKeyboard: hasAnswered ? /\x1b\[\?\d{1,3}u/.test(text) : undefined,
		clipboard: attributes?.includes('52'),
		modes: new Map(modes),
		width: column === undefined ? undefined : Number(column) - 1,
	};
}
