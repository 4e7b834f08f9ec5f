import {expect, test} from 'vitest';
import {RejectedError} from '../../../src/api/errors.ts';
import type {Service} from '../../../src/api/service.ts';
import {carryForm} from '../../../src/app/carry-form.ts';
import type {FormRequest} from '../../../src/state/view/dialogs.ts';
import {formLayer} from '../../../src/ui/dialogs/form/form-layer.ts';
import {openFormDialog} from '../../../src/ui/dialogs/form/open-form-dialog.ts';
import {hintsOf} from '../../../src/ui/keys/hints.ts';
import {listsNow} from '../../../src/ui/use-lists.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock, settle} from '../../support/fake-clock.ts';
import {fleet, knownComputer, knownSession} from '../../support/fleet.ts';

function setUp() {
	const commits: unknown[] = [];
	const answers = {isRefused: false};
	const service = {
		workFolders: {
			async commit(_: string, values: unknown) {
				if (answers.isRefused) throw new RejectedError('A hook refused it.', {hint: ''});
				commits.push(values);
				return {commit: 'abc', branch: 'main'};
			},
		},
		agentRequests: {agents: async () => []},
	} as unknown as Service;
	const parts = appParts(fakeClock(), {service});
	parts.stores.fleet.setState(
		fleet([knownSession('s1', {name: 'A long title'}), knownSession('s2')], [knownComputer('box')]),
	);
	const layer = formLayer(parts);
	return {
		parts,
		commits,
		answers,
		open: (request: FormRequest) => openFormDialog(parts, request),
		press(...names: readonly string[]) {
			for (const name of names)
				layer.handle({name, text: name.length > 1 && /^[a-z+-]+$/.test(name) ? '' : name}, true);
		},
		paste: (text: string) => layer.paste?.(text),
		values: () => parts.forms.getState().form?.values,
	};
}

const commit = (sessionId: string, diffId = 'd1') => ({name: 'commit', sessionId, diffId, files: 1}) as const;
const message = 'Why it is so';

test.each<{request: FormRequest; again?: FormRequest; field: string}>([
	{request: commit('s1'), again: commit('s1', 'd2'), field: 'message'},
	{request: {name: 'pull-request', sessionId: 's1', branch: 'b'}, field: 'title'},
	{request: {name: 'new-computer'}, field: 'name'},
	{request: {name: 'new-session', computerId: 'box'}, field: 'cwd'},
])('keeps what was typed into $request.name after Esc', ({request, again = request, field}) => {
	const {open, press, values} = setUp();
	open(request);
	press(message, 'escape');
	open({...again});
	expect(values()?.[field]).toBe(message);
});

test('keeps a canceled message for its session only, until it is committed', async () => {
	const {open, press, values, commits, answers} = setUp();
	open(commit('s1'));
	press(message, 'escape');
	open(commit('s2'));
	expect(values()?.message).toBe('');
	press('escape');
	open(commit('s1', 'd2'));
	answers.isRefused = true;
	press('enter', 'escape');
	await settle();
	open(commit('s1', 'd2'));
	expect(values()?.message).toBe(message);
	answers.isRefused = false;
	press('enter');
	await settle();
	expect(commits).toEqual([{diffId: 'd2', message}]);
	open(commit('s1', 'd3'));
	expect(values()?.message).toBe('');
});

test('drops a canceled change of a session, which the next one would bring along', () => {
	const {open, press, values} = setUp();
	open({name: 'rename-session', sessionId: 's1'});
	const start = values()?.name;
	press(message, 'escape');
	open({name: 'rename-session', sessionId: 's1'});
	expect(values()?.name).toBe(start);
});

test('a reopened form says that it kept the text, and starts at its first field', async () => {
	const {parts, open, press, values} = setUp();
	const footer = () => {
		const now = parts.input.now(parts, parts.view.getState(), listsNow(parts));
		return hintsOf(parts.keys, now).find(({binding}) => binding.action === 'cancel')?.label;
	};
	open({name: 'new-computer'});
	expect(footer()).toBe('cancel');
	press('tab', 'tab', 'https://host/a.git');
	expect(footer()).toBe('close, keep text');
	press('escape');
	open({name: 'new-computer'});
	expect(parts.forms.getState().form).toMatchObject({focused: 0, isReopened: true});
	press('Box');
	expect(values()).toMatchObject({name: 'Box', repos: 'https://host/a.git'});
	press('escape');
	open({name: 'rename-session', sessionId: 's1'});
	press('other');
	expect(footer()).toBe('cancel');
});

test('refuses text typed or pasted into a field with choices, and says so', () => {
	const {parts, open, press, values, paste} = setUp();
	const notices = () => parts.stores.notices.getState().list.map(({text}) => text);
	open({name: 'new-computer'});
	press('up', 'up', 'x');
	expect(notices()).toEqual(['This field takes no text: ← → select']);
	const start = values();
	paste('https://host/a.git');
	expect(values()).toEqual(start);
	expect(notices()).toEqual(['This field takes no text: ← → select']);
	press('right');
	expect(values()?.provider).toBe('byom');
});

test.each<{request: FormRequest; field: string; start: string}>([
	{request: {name: 'rename-session', sessionId: 's1'}, field: 'name', start: 'A long title'},
	{
		request: {name: 'days', range: {startDate: '2026-11-01', endDate: '2026-11-20'}, lastDay: '2026-11-20'},
		field: 'from',
		start: '2026-11-01',
	},
	{request: {name: 'edit-computer', computerId: 'box'}, field: 'name', start: 'box'},
])('typing replaces what is filled into $request.name, until a key moves or edits in it', given => {
	const {open, press, values} = setUp();
	const value = () => values()?.[given.field];
	open(given.request);
	expect(value()).toBe(given.start);
	press('A', 'B');
	expect(value()).toBe('AB');
	press('ctrl+_', 'ctrl+_');
	expect(value()).toBe(given.start);
	for (const key of ['left', 'home', 'end', 'backspace']) {
		press('escape');
		open({...given.request});
		press(key, '+');
		expect(value()).toHaveLength(given.start.length + (key === 'backspace' ? 0 : 1));
	}
});

test('typing continues the text from last time', () => {
	const {open, press, values} = setUp();
	open({name: 'new-computer'});
	press('Old', 'escape');
	open({name: 'new-computer'});
	press('e', 'r');
	expect(values()?.name).toBe('Older');
});

test('a form that another app takes over mentions last time only if it has text from then', () => {
	const {parts, open, press} = setUp();
	const carried = () => {
		const after = setUp();
		carryForm(parts, after.parts, true);
		return after.parts.forms.getState().form;
	};
	open({name: 'new-computer'});
	expect(carried()?.isReopened).toBeUndefined();
	press('Old');
	expect(carried()?.isReopened).toBeUndefined();
	press('escape');
	open({name: 'new-computer'});
	expect(carried()?.isReopened).toBe(true);
});
