import {expect, test} from 'vitest';
import {type Binding, bindings, findBinding, isEnabled} from '../../../src/keys/bindings.ts';
import type {KeyFacts} from '../../../src/keys/facts.ts';
import {helpEntries} from '../../../src/keys/help.ts';
import {hintsOf} from '../../../src/keys/hints.ts';
import {keyLabel} from '../../../src/keys/key-label.ts';
import {readmeTable} from '../../../src/keys/readme-table.ts';

const facts: KeyFacts = {
	computerCount: 1,
	needsCount: 0,
	install: 'The install of dependencies is running.',
	isMessageSelected: false,
	isUnsettled: false,
	canTakeBack: false,
	queuedCount: 0,
	attachmentCount: 0,
	canUndo: false,
	isOutside: false,
	isEventSelected: false,
	isConnected: true,
};

test('no key means two things in one place', () => {
	const seen = new Set<string>();
	for (const binding of bindings)
		for (const context of binding.contexts)
			for (const key of binding.keys) {
				expect(seen.has(`${context} ${key}`), `${context} ${key}`).toBe(false);
				seen.add(`${context} ${key}`);
			}
});

test('the cursor in a list is in two places at once, and they do not argue', () => {
	for (const place of ['sessions', 'computers'] as const) {
		const keys = bindings
			.filter(binding => binding.contexts.some(context => context === place || context === 'lists'))
			.flatMap(binding => binding.keys);
		expect(new Set(keys).size).toBe(keys.length);
	}
});

test('keys that tmux and shells want stay free', () => {
	const isTheirs = (key: string) => /^(ctrl\+[ab]|alt\+.)$/.test(key);
	const isTyping = (binding: Binding) => binding.contexts.every(context => context === 'composer');
	const taken = bindings.filter(binding => !isTyping(binding)).flatMap(binding => binding.keys);
	expect(taken.filter(isTheirs)).toEqual([]);
	// Where text is typed they are what shells have, and Ctrl+A and Ctrl+B never the only key.
	for (const {keys, title} of bindings.filter(isTyping))
		expect(
			keys.every(key => /^ctrl\+[ab]$/.test(key)),
			title,
		).toBe(false);
});

test('a key that is off says why', () => {
	const copy = findBinding(['stream'], 'y');
	expect(copy && isEnabled(copy, facts)).toBe('There is no message here yet');
	expect(copy && isEnabled(copy, {...facts, isMessageSelected: true})).toBe(true);
});

test('n makes what the focus is about', () => {
	expect(findBinding(['computers', 'lists'], 'n')?.action).toBe('new-computer');
	expect(findBinding(['sessions', 'lists'], 'n')?.action).toBe('new-session');
});

test('the footer shows only what works now', () => {
	const hints = (state: KeyFacts) => hintsOf(['computers', 'lists'], state).map(binding => binding.action);
	expect(hints(facts)).not.toContain('open-session');
	expect(hints({...facts, computerId: 'c1'})).toContain('open-session');
});

test('help finds by word, key and place, and says why a key is off', () => {
	expect(helpEntries('install output', ['computers', 'lists'], facts)).toMatchObject([
		{binding: {action: 'install-session'}, isHere: true, reason: /names no session/},
	]);
	expect(helpEntries('ctrl+j', [], facts).map(entry => entry.binding.action)).toEqual(['newline']);
	expect(helpEntries('', ['composer'], facts)[0]?.binding.contexts).toContain('composer');
	expect(helpEntries('no such thing', [], facts)).toEqual([]);
});

test.each([
	['ctrl+d', 'Ctrl+D'],
	['shift+tab', 'Shift+Tab'],
	['G', 'G'],
	['j', 'j'],
	['down', '↓'],
])('%s is shown as %s', (key, label) => {
	expect(keyLabel(key)).toBe(label);
});

test('the README table has a row for each binding', () => {
	const rows = readmeTable().trimEnd().split('\n');
	expect(rows).toHaveLength(bindings.length + 2);
	expect(rows.every(row => /^\| .+ \| .+ \| .+ \|$/.test(row))).toBe(true);
});
