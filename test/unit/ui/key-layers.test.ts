import {expect, test} from 'vitest';
import type {KeyPress} from '../../../src/keys/key-press.ts';
import type {KeyLayer} from '../../../src/ui/input.ts';
import {offer} from '../../../src/ui/screen-input.ts';

function layer(name: string, takes: string, got: string[], isModal = false): KeyLayer {
	return {
		isModal,
		handle(press: KeyPress) {
			got.push(`${name}:${press.name}`);
			return press.name === takes ? 'consumed' : 'ignored';
		},
	};
}

const press = (layers: readonly KeyLayer[], key: string) =>
	offer(layers, each => each.handle({name: key, text: key}, true));

test('the top layer is asked first, and what it ignores goes down', () => {
	const got: string[] = [];
	const layers = [layer('lists', 'j', got), layer('composer', 'x', got)];
	expect(press(layers, 'j')).toBe('consumed');
	expect(press(layers, 'z')).toBe('ignored');
	expect(got).toEqual(['composer:j', 'lists:j', 'composer:z', 'lists:z']);
});

test('nothing passes a modal layer, consumed or not', () => {
	const got: string[] = [];
	const layers = [layer('lists', 'j', got), layer('dialog', 'x', got, true)];
	expect(press(layers, 'x')).toBe('consumed');
	expect(press(layers, 'j')).toBe('ignored');
	expect(offer(layers, ({paste}) => paste?.('text') ?? 'ignored')).toBe('ignored');
	expect(got).toEqual(['dialog:x', 'dialog:j']);
});
