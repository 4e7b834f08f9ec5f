import {expect, test} from 'vitest';
import {RejectedError} from '../../../src/api/errors.ts';
import type {Service} from '../../../src/api/service.ts';
import {commitForm, pullRequestForm} from '../../../src/ui/dialogs/diff/diff-forms.ts';
import {editComputerForm, newComputerForm} from '../../../src/ui/dialogs/form/computer-forms.ts';
import {daysForm} from '../../../src/ui/dialogs/form/days-form.ts';
import {formLayer} from '../../../src/ui/dialogs/form/form-bindings.ts';
import type {CreateForm} from '../../../src/ui/dialogs/form/form-state.ts';
import {openForm} from '../../../src/ui/dialogs/form/open-form.ts';
import {renameSessionForm} from '../../../src/ui/dialogs/form/session-forms.ts';
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
	const parts = appParts(fakeClock(), {service, profile: {host: 'acme.example'}});
	parts.stores.fleet.setState(
		fleet([knownSession('s1', {name: 'A long title'}), knownSession('s2')], [knownComputer('box')]),
	);
	const layer = formLayer(parts);
	return {
		parts,
		commits,
		answers,
		open: (form: CreateForm) => openForm(parts, form),
		press(...names: readonly string[]) {
			for (const name of names)
				layer.handle({name, text: name.length > 1 && /^[a-z+-]+$/.test(name) ? '' : name}, true);
		},
		paste: (text: string) => layer.paste?.(text),
		values: () => parts.forms.getState().form?.values,
	};
}

const commit = (sessionId: string, diffId = 'd1') => commitForm({sessionId, diffId, files: 1, except: []});
const message = 'Why it is so';

test.each<{name: string; form: CreateForm; again?: CreateForm; field: string}>([
	{name: 'a commit', form: commit('s1'), again: commit('s1', 'd2'), field: 'message'},
	{name: 'a pull request', form: pullRequestForm('s1', 'b'), field: 'title'},
	{name: 'a new computer', form: newComputerForm, field: 'name'},
])('keeps what was typed into $name after Esc', ({form, again = form, field}) => {
	const {open, press, values} = setUp();
	open(form);
	press(message, 'escape');
	open(again);
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
	open(renameSessionForm('s1'));
	const start = values()?.name;
	press(message, 'escape');
	open(renameSessionForm('s1'));
	expect(values()?.name).toBe(start);
});

test('a reopened form says that it kept the text, and starts at its first field', async () => {
	const {parts, open, press, values} = setUp();
	const footer = () => {
		const now = parts.input.now(parts, parts.view.getState(), listsNow(parts));
		return hintsOf(parts.keys, now).find(({binding}) => binding.action === 'cancel')?.label;
	};
	open(newComputerForm);
	expect(footer()).toBe('cancel');
	press('tab', 'tab', 'https://host/a.git');
	expect(footer()).toBe('close, keep text');
	press('escape');
	open(newComputerForm);
	expect(parts.forms.getState().form).toMatchObject({focused: 0, isReopened: true});
	press('Box');
	expect(values()).toMatchObject({name: 'Box', repos: 'https://host/a.git'});
	press('escape');
	open(renameSessionForm('s1'));
	press('other');
	expect(footer()).toBe('cancel');
});

test('refuses text typed or pasted into a field with choices, and says so', () => {
	const {parts, open, press, values, paste} = setUp();
	const notices = () => parts.stores.notices.getState().list.map(({text}) => text);
	open(newComputerForm);
	press('up', 'up', 'x');
	expect(notices()).toEqual(['This field takes no text: ← → select']);
	const start = values();
	paste('https://host/a.git');
	expect(values()).toEqual(start);
	expect(notices()).toEqual(['This field takes no text: ← → select']);
	press('right');
	expect(values()?.provider).toBe('byom');
});

test.each<{name: string; form: CreateForm; field: string; start: string}>([
	{name: 'a new name', form: renameSessionForm('s1'), field: 'name', start: 'A long title'},
	{
		name: 'a range',
		form: daysForm({startDate: '2026-11-01', endDate: '2026-11-20'}, '2026-11-20'),
		field: 'from',
		start: '2026-11-01',
	},
	{name: 'a computer', form: editComputerForm('box'), field: 'name', start: 'box'},
])('typing replaces what is filled in for $name, until a key moves or edits in it', given => {
	const {open, press, values} = setUp();
	const value = () => values()?.[given.field];
	open(given.form);
	expect(value()).toBe(given.start);
	press('A', 'B');
	expect(value()).toBe('AB');
	press('ctrl+_', 'ctrl+_');
	expect(value()).toBe(given.start);
	for (const key of ['left', 'home', 'end', 'backspace']) {
		press('escape');
		open(given.form);
		press(key, '+');
		expect(value()).toHaveLength(given.start.length + (key === 'backspace' ? 0 : 1));
	}
});

test('typing continues the text from last time', () => {
	const {open, press, values} = setUp();
	open(newComputerForm);
	press('Old', 'escape');
	open(newComputerForm);
	press('e', 'r');
	expect(values()?.name).toBe('Older');
});
