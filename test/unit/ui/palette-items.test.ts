import {expect, test} from 'vitest';
import {createListBuilder} from '../../../src/state/lists/lists.ts';
import {createKeyMap} from '../../../src/ui/bindings.ts';
import {paletteItems} from '../../../src/ui/dialogs/palette-items.ts';
import type {KeyContext} from '../../../src/ui/keys/key-contexts.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {emptyOutbox, fleet, knownComputer, knownSession, signal} from '../../support/fleet.ts';
import {nowOf} from '../../support/now-of.ts';

const listBuilder = createListBuilder();
const lists = listBuilder.lists(
	fleet(
		[
			knownSession('s1', {computerId: 'gpu', session: {sessionId: 's1', title: 'fix login'}}),
			knownSession('s2', {computerId: 'box', session: {sessionId: 's2', title: 'fix cart'}}),
		],
		[knownComputer('gpu', {name: 'gpu-1'}), knownComputer('box', {name: 'build-box'})],
		[signal('s2', 'needs-input')],
	),
	emptyOutbox,
	{words: '', needsOnly: false},
);
const names = (query: string, recent: readonly string[] = [], contexts: readonly KeyContext[] = ['lists']) =>
	paletteItems(query, lists, {keys: createKeyMap(), now: nowOf(appParts(fakeClock()), contexts)}, recent).map(
		({item}) => item.name,
	);

test('finds a new session by its settings', () => {
	for (const query of ['worktree', 'mode']) expect(names(query).join('\n')).toContain('New session: ');
});

test.each(['save', 'export', 'download'])(
	'%j finds the export of messages outside the stream, too',
	query => {
		expect(names(query).slice(0, 5).join('\n')).toContain('Export the messages');
	},
);

test.each(['find', 'search messages', 'message'])('%j finds the search of all sessions', query => {
	expect(names(query)).toContain('Search all sessions');
});

test('puts a view first for the beginning of its name, whatever was used recently', () => {
	const recent = ['action search-sessions', 'action sessions'];
	for (const query of ['s', 'ses', 'Sessions']) expect(names(query, recent)[0]).toBe('Sessions');
	for (const query of ['events and', 'hook log', 'disk'])
		expect(names(query)[0]).toBe('Events and diagnostics');
	expect(names('setting')).toContain('Controls');
	expect(names('fix', recent)[0]).toMatch(/^fix/);
});

test("doesn't put a disabled item first because it was used recently", () => {
	const recent = ['action remove-worktree', 'action new-computer'];
	expect(names('', recent, ['sessions', 'lists'])[0]).toMatch(/^New computer/);
});
