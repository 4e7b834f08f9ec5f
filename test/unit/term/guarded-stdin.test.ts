import {PassThrough} from 'node:stream';
import type {ReadStream} from 'node:tty';
import {expect, test} from 'vitest';
import {GuardedStdin} from '../../../src/term/guarded-stdin.ts';

class Keyboard extends PassThrough {
	isRaw = false;
	setRawMode(isRaw: boolean): this {
		this.isRaw = isRaw;
		return this;
	}
}

function open() {
	const told: string[] = [];
	const keyboard = new Keyboard();
	const stdin = new GuardedStdin(keyboard as unknown as ReadStream, {
		focus: () => undefined,
		mouse: () => undefined,
		background: answer => told.push(`background ${answer}`),
		colorsChanged: () => undefined,
		suspend: () => told.push('suspend'),
		pasteCut: () => undefined,
		reading: () => told.push('reading'),
		interrupt: () => told.push('interrupt'),
	});
	return {keyboard, stdin, told};
}

test('what is typed during the start waits for Ink, what the terminal answers does not', () => {
	const {keyboard, stdin, told} = open();
	stdin.holdEcho();
	expect(keyboard.isRaw).toBe(true);
	keyboard.emit('data', 'a\x1b]11;#fff\x07b');
	expect(told).toEqual(['reading', 'background #fff']);
	stdin.setRawMode(true);
	expect(stdin.read().toString()).toBe('ab');
	expect(told).toHaveLength(2);
});

test('Ctrl+C interrupts a start, and is a key of the screen afterwards', () => {
	const {keyboard, stdin, told} = open();
	stdin.holdEcho();
	keyboard.emit('data', '\x03');
	expect(told).toEqual(['reading', 'interrupt']);
	stdin.setRawMode(true);
	keyboard.emit('data', '\x03');
	expect(told).toHaveLength(2);
	expect(stdin.read().toString()).toBe('\x03');
});

test('reading begins anew after it ended', () => {
	const {keyboard, stdin, told} = open();
	stdin.setRawMode(true);
	stdin.setRawMode(true);
	stdin.setRawMode(false);
	expect(keyboard.isRaw).toBe(false);
	stdin.setRawMode(true);
	expect(told).toEqual(['reading', 'reading']);
});
