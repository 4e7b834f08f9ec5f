import {PassThrough} from 'node:stream';
import type {ReadStream} from 'node:tty';
import {expect, test, vi} from 'vitest';
import {GuardedStdin} from '../../../src/term/guarded-stdin.ts';

class Keyboard extends PassThrough {
	isRaw = false;
	setRawMode(isRaw: boolean): this {
		this.isRaw = isRaw;
		return this;
	}
}

function open() {
	const reported: string[] = [];
	const keyboard = new Keyboard();
	const stdin = new GuardedStdin(keyboard as unknown as ReadStream, {
		focus: () => undefined,
		mouse: () => undefined,
		background: answer => reported.push(`background ${answer}`),
		colorsChanged: () => undefined,
		suspend: () => reported.push('suspend'),
		pasteCut: () => undefined,
		reading: () => reported.push('reading'),
		interrupt: () => reported.push('interrupt'),
	});
	return {keyboard, stdin, reported};
}

test("what is typed during the start waits for Ink, but the terminal's answers don't", () => {
	const {keyboard, stdin, reported} = open();
	stdin.suppressEcho();
	expect(keyboard.isRaw).toBe(true);
	keyboard.emit('data', 'a\x1b]11;#fff\x07b');
	expect(reported).toEqual(['reading', 'background #fff']);
	stdin.setRawMode(true);
	expect(stdin.read().toString()).toBe('ab');
	expect(reported).toHaveLength(2);
});

test('Enter typed before the program reads arrives as a line feed, but still counts as Enter', () => {
	const {keyboard, stdin} = open();
	stdin.suppressEcho();
	keyboard.emit('data', 'nls\n');
	stdin.setRawMode(true);
	expect(stdin.read().toString()).toBe('nls\r');
	keyboard.emit('data', '\n');
	expect(stdin.read().toString()).toBe('\n');
});

test('Ctrl+C interrupts the start, and is an ordinary key afterwards', () => {
	const {keyboard, stdin, reported} = open();
	stdin.suppressEcho();
	keyboard.emit('data', '\x03');
	expect(reported).toEqual(['reading', 'interrupt']);
	stdin.setRawMode(true);
	keyboard.emit('data', '\x03');
	expect(reported).toHaveLength(2);
	expect(stdin.read().toString()).toBe('\x03');
});

test('reading starts again after it ended', () => {
	const {keyboard, stdin, reported} = open();
	stdin.setRawMode(true);
	stdin.setRawMode(true);
	stdin.setRawMode(false);
	expect(keyboard.isRaw).toBe(false);
	stdin.setRawMode(true);
	expect(reported).toEqual(['reading', 'reading']);
});

test("a lone Esc becomes a key after a delay, so the next key isn't taken for Alt with it", async () => {
	vi.useFakeTimers();
	const {keyboard, stdin} = open();
	stdin.setRawMode(true);
	keyboard.emit('data', '\x1b');
	expect(stdin.read()).toBe(null);
	vi.runAllTimers();
	keyboard.emit('data', 'q');
	expect(stdin.read().toString()).toBe('\x1b[27uq');
	vi.useRealTimers();
});

test('keys typed after a suspension are keys, though a paste had not ended', () => {
	const {keyboard, stdin} = open();
	stdin.setRawMode(true);
	keyboard.emit('data', '\x1b[200~half a paste');
	stdin.setRawMode(false);
	stdin.setRawMode(true);
	keyboard.emit('data', 'q');
	expect(stdin.read().toString()).toBe('\x1b[200~half a paste\x1b[201~q');
});
