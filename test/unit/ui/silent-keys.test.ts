import {isDeepStrictEqual} from 'node:util';
import {expect, test} from 'vitest';
import type {View} from '../../../src/state/view/view.ts';
import {pressKey} from '../../../src/ui/mouse/press-key.ts';
import {contextsOf} from '../../../src/ui/pages.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';

/** Leaving what is not open needs no words, nor does going to what is shown already. */
const isQuiet = (action: string) => action === 'back' || /^(view|tab)-/.test(action);

const places: readonly (readonly [name: string, view: Partial<View>])[] = [
	['the lists', {}],
	['the computers of the lists', {cursor: {section: 'computers'}}],
	['a stream', {shown: {kind: 'session', id: 's'}, focus: 'main'}],
	['a computer', {shown: {kind: 'computer', id: 'c'}, focus: 'main'}],
	['the Sessions view', {page: 'sessions'}],
	['the Computers view', {page: 'computers'}],
	['the events', {page: 'events'}],
	['usage', {page: 'usage'}],
	['readiness', {page: 'readiness'}],
	['controls', {page: 'controls'}],
	['users', {page: 'users'}],
];

test.each(places)('in %s, while empty, every key does something or says why not', async (_, view) => {
	const clock = fakeClock();
	const silent: string[] = [];
	const make = () => {
		const parts = appParts(clock);
		parts.view.setState(view);
		return parts;
	};
	const first = make();
	const contexts = contextsOf(first.view.getState(), true);
	const bindings = first.keys.bindings.filter(
		({contexts: own, isPaletteHidden, action}) =>
			!isPaletteHidden && !isQuiet(action) && own.some(context => contexts.includes(context)),
	);
	expect(bindings.length).toBeGreaterThan(5);
	for (const binding of bindings) {
		const parts = make();
		const before = {
			view: parts.view.getState(),
			calls: parts.calls.length,
			notices: parts.stores.notices.getState().list.length,
		};
		const [key] = first.keys.keysOf(binding, contexts);
		if (key === undefined) continue;
		pressKey(parts, key);
		await Promise.resolve();
		const isHeard =
			!isDeepStrictEqual(parts.view.getState(), before.view) ||
			parts.calls.length > before.calls ||
			parts.stores.notices.getState().list.length > before.notices;
		if (!isHeard) silent.push(`${key} ${binding.action}`);
	}
	expect(silent).toEqual([]);
});
