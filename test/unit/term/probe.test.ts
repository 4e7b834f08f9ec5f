import {PassThrough} from 'node:stream';
import type {ReadStream} from 'node:tty';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {probeTerminal, readAnswers} from '../../../src/term/probe.ts';

const answers =
	'\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?0u\x1b[?1006;2$y\x1b[?2026;0$y\x1b[1;3R\x1b[?62;22;52c';

test('reads the answers of a terminal that answers everything', () => {
	expect(readAnswers(answers)).toEqual({
		hasAnswered: true,
		background: [255, 255, 255],
		kittyKeyboard: true,
		clipboard: true,
		modes: new Map([
			[1006, true],
			[2026, false],
		]),
		width: 2,
	});
});

test('reads few answers, with keys typed in between', () => {
	expect(readAnswers('q\x1b[1;7Rjj\x1b[?1;2c')).toEqual({
		hasAnswered: true,
		kittyKeyboard: false,
		clipboard: false,
		modes: new Map(),
		width: 6,
	});
	expect(readAnswers('')).toEqual({hasAnswered: false, modes: new Map()});
});

test('misreads nothing, whatever arrives', () => {
	fc.assert(
		fc.property(fc.string({unit: fc.constantFrom(...'\x1b[]?;$yRcu0123456789rgb:/\x07\\q')}), text => {
			const {width, modes} = readAnswers(text);
			expect(width === undefined || Number.isInteger(width)).toBe(true);
			for (const [mode] of modes) expect(Number.isInteger(mode)).toBe(true);
		}),
	);
});

class Keyboard extends PassThrough {
	isRaw = false;
	setRawMode(isRaw: boolean): this {
		this.isRaw = isRaw;
		return this;
	}
}

test('stops waiting after the last answer or a timeout, and restores the terminal', async () => {
	const keyboard = new Keyboard();
	const asked: string[] = [];
	const probing = probeTerminal(
		keyboard as unknown as ReadStream,
		{
			write(text: string) {
				asked.push(text);
				expect(keyboard.isRaw).toBe(true);
				keyboard.write(answers.slice(0, 30));
				setImmediate(() => keyboard.write(answers.slice(30)));
				return true;
			},
		},
		{},
	);
	expect((await probing).width).toBe(2);
	expect(keyboard.isRaw).toBe(false);
	expect(asked.join('')).toContain('\x1b]11;?');
	const silent = await probeTerminal(new Keyboard() as unknown as ReadStream, {write: () => true}, {}, 1);
	expect(silent.hasAnswered).toBe(false);
});
