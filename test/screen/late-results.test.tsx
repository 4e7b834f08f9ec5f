import {describe, expect, test} from 'vitest';
import type {Service} from '../../src/api/service.ts';
import {newSessionDraft} from '../../src/state/view/dialogs.ts';
import type {View} from '../../src/state/view/view.ts';
import {firstComputerForm, newComputerForm} from '../../src/ui/dialogs/form/computer-forms.ts';
import type {CreateForm} from '../../src/ui/dialogs/form/form-state.ts';
import {openForm} from '../../src/ui/dialogs/form/open-form.ts';
import {openSession} from '../../src/ui/open-session.ts';
import {askToRemoveWorktree} from '../../src/ui/remove-worktree.ts';
import type {AppParts} from '../../src/ui/use-app.ts';
import {askWhoseKey} from '../../src/ui/welcome-bindings.ts';
import {settle} from '../support/fake-clock.ts';
import {openScreen, type Screen} from '../support/screen.tsx';
import {workParts} from '../support/work-sample.ts';

// The service answers when the user is writing something else: keys and typed text stay where they are.

let screen: Screen;

const words = (rows: readonly string[]) => rows.join(' ').replace(/[\s│]+/g, ' ');

/** A screen whose service answers once it is told to. */
async function open(partial: Partial<View> = {}) {
	const gate = Promise.withResolvers<void>();
	const created: unknown[] = [];
	const removals: unknown[] = [];
	const later =
		<T,>(value: T) =>
		async () => {
			await gate.promise;
			return value;
		};
	const session = {sessionId: 's-new', status: 'idle'};
	const service = {
		sessions: {
			async create(draft: unknown) {
				created.push(draft);
				await gate.promise;
				return session;
			},
			update: later({...session, sessionId: 's-api'}),
		},
		computers: {create: later({id: 'c-new', name: 'c-new', status: 'provisioning'})},
		agentRequests: {agents: async () => []},
		workFolders: {
			async removeWorktree(_: string, options: {isForced: boolean}) {
				removals.push(options);
				await gate.promise;
				return {isRemoved: options.isForced, branch: 'work', changes: 3};
			},
		},
	} as unknown as Service;
	const {clock, parts} = workParts({service, profile: {agent: 'shell'}});
	screen = openScreen(parts, 120, 40);
	await screen.rows();
	parts.view.setState(partial);
	return {
		parts,
		created,
		removals,
		clock,
		/** Opens the composer of a session with the start of a message in it. */
		async write(id: string) {
			openSession(parts, id, 'composer');
			await screen.press('half a mess');
		},
		async answer() {
			gate.resolve();
			await settle();
			await screen.rows();
		},
		textOf: (id: string) => parts.composers.getState().bySession.get(id)?.editor.text,
		sent: () => parts.calls.filter(call => call.startsWith('enqueue')),
		dialogs: () => parts.view.getState().dialogs.map(({kind}) => kind),
	};
}

const onComputer = {focus: 'lists', cursor: {section: 'computers', id: 'build-box'}} as const;

describe('a message being typed stays in its composer', () => {
	test.each<{name: string; form: CreateForm}>([
		{name: 'a new computer', form: newComputerForm},
		{name: 'the first computer', form: firstComputerForm},
	])('when a closed form for $name succeeds', async ({form}) => {
		const {parts, write, answer, textOf, sent, dialogs} = await open();
		openForm(parts, form);
		await screen.press('\x15', 'box');
		await screen.press('\x13');
		expect(parts.forms.getState().form?.isBusy).toBe(true);
		await screen.press('\x1b');
		await write('s-api');
		await answer();
		expect(dialogs()).toEqual([]);
		await screen.press('age', '\r');
		expect(sent()).toEqual(['enqueue s-api half a message']);
		expect(textOf('s-new') ?? '').toBe('');
	});

	test('when a new session is ready', async () => {
		const {parts, write, answer, sent} = await open();
		openSession(parts, 's-api', 'main');
		parts.view.setState(onComputer);
		await screen.press('n', 'Do it', '\r', '\x1b');
		await write('s-api');
		await answer();
		expect(words(await screen.rows())).toContain('The new session is ready');
		await screen.press('age', '\r');
		expect(sent()).toEqual(['enqueue s-new Do it', 'enqueue s-api half a message']);
	});

	test('when the session is archived', async () => {
		const {parts, write, answer, sent} = await open();
		openSession(parts, 's-api', 'main');
		await screen.press('X');
		await write('s-api');
		await answer();
		expect(words(await screen.rows())).toContain('Archived 1 session');
		await screen.press('age', '\r');
		expect(sent()).toEqual(['enqueue s-api half a message']);
	});
});

test('text typed in one go after the key of a new session is its text', async () => {
	const {textOf, dialogs, parts} = await open(onComputer);
	await screen.press('nquit the loop');
	expect(dialogs()).toEqual(['new-session']);
	expect(textOf(newSessionDraft)).toBe('quit the loop');
	expect(parts.calls).not.toContain('quit');
});

test('words for another new session stay in their dialog when the first session is ready', async () => {
	const {answer, textOf, dialogs, created, sent, parts} = await open();
	await screen.press('n', 'Do it', '\r', '\x1b', 'n', 'Another th');
	await answer();
	await screen.press('ing');
	expect(dialogs()).toEqual(['new-session']);
	expect(textOf('new session')).toBe('Another thing');
	expect(sent()).toEqual(['enqueue s-new Do it']);
	await screen.press('\r');
	await settle();
	expect(created).toHaveLength(2);
	expect(dialogs()).toEqual([]);
	expect(parts.view.getState()).toMatchObject({focus: 'composer', shown: {id: 's-new'}});
});

test("a session that is late doesn't take the focus from a user who moves in the lists", async () => {
	const {parts, answer} = await open(onComputer);
	await screen.press('n', 'Do it', '\r', '\x1b', 'j');
	await answer();
	expect(parts.view.getState().focus).toBe('lists');
});

describe('an unmerged worktree', () => {
	const title = 'Lose what is not merged?';
	const remove = async (parts: AppParts) => {
		openSession(parts, 's-api', 'main');
		askToRemoveWorktree(parts, {id: 's-api', name: 'api'});
		await screen.press('y');
	};

	test('is only mentioned to a user who is writing by now', async () => {
		const {parts, answer, sent, removals} = await open();
		await remove(parts);
		await screen.press('\r', 'Fix the login');
		await answer();
		expect(words(await screen.rows())).toContain('The worktree is not removed');
		await screen.press('\r');
		expect(sent()).toEqual(['enqueue s-api Fix the login']);
		expect(removals).toEqual([{isForced: false}]);
	});

	test('is removed by y alone, and only once the question could be read', async () => {
		const {parts, clock, answer, removals} = await open();
		await remove(parts);
		await answer();
		expect(words(await screen.rows())).toContain(title);
		await screen.press('y', '\r', 'n');
		// Neither the dialog nor the footer names keys that don't count yet.
		expect(words(await screen.rows())).not.toContain('y yes');
		await clock.advance(500);
		expect(words(await screen.rows())).toMatch(/y yes n no .*y yes n no Esc cancel/);
		await screen.press('\r');
		expect(removals).toEqual([{isForced: false}]);
		await screen.press('y');
		expect(removals).toEqual([{isForced: false}, {isForced: true}]);
	});
});

test("text typed for a new session doesn't answer a question that opens meanwhile", async () => {
	const {parts, clock, answer, textOf, dialogs} = await open(onComputer);
	await screen.press('n', 'Do it', '\r');
	askWhichAccount(parts);
	await screen.rows();
	await clock.advance(500);
	await screen.press('y');
	await answer();
	expect(dialogs()).toEqual(['confirm']);
	expect(textOf('s-new')).toBe('y');
});

test('Esc stops the wait for a new session even under a question that opened meanwhile', async () => {
	const {parts, answer, textOf, dialogs} = await open(onComputer);
	await screen.press('n', 'Do it', '\r', 'echo hi');
	askWhichAccount(parts);
	await screen.press('\x1b');
	await screen.until(rows => words(rows).includes('Your text is kept as a draft'));
	expect(textOf(newSessionDraft)).toBe('echo hi');
	await answer();
	expect(dialogs()).toEqual(['confirm']);
});

function askWhichAccount(parts: AppParts): void {
	askWhoseKey(parts, {id: 'a', kind: 'remote', file: 'a.db', createdAt: 0, usedAt: 0});
}
