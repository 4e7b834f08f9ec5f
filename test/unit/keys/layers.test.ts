import {expect, test} from 'vitest';
import type {KeyPress} from '../../../src/keys/key-press.ts';
import {dispatchKey, dispatchPaste, type KeyLayer} from '../../../src/keys/layers.ts';

function layer(name: string, takes: string, got: string[], isModal = false): KeyLayer {
	return {
		name,
		isModal,
		handle(press: KeyPress) {
			got.push(`${name}:${press.name}`);
			return press.name === takes ? 'consumed' : 'ignored';
		},
	};
}

test('the top layer is asked first, and what it ignores goes down', () => {
	const got: string[] = [];
	const layers = [layer('lists', 'j', got), layer('composer', 'x', got)];
	expect(dispatchKey(layers, {name: 'j', text: 'j'})).toBe('consumed');
	expect(dispatchKey(layers, {name: 'z', text: 'z'})).toBe('ignored');
	expect(got).toEqual(['composer:j', 'lists:j', 'composer:z', 'lists:z']);
});

test('nothing passes a modal layer, consumed or not', () => {
	const got: string[] = [];
	const layers = [layer('lists', 'j', got), layer('dialog', 'x', got, true)];
	expect(dispatchKey(layers, {name: 'j', text: 'j'})).toBe('consumed');
	expect(dispatchPaste(layers, 'text')).toBe('consumed');
	expect(got).toEqual(['dialog:j']);
});
