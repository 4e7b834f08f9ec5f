import {expect, test} from 'vitest';
import {RejectedError} from '../../src/api/errors.ts';
import type {Service} from '../../src/api/service.ts';
import {newSessionDraft} from '../../src/state/view/dialogs.ts';
import {has, openScreen, type Screen} from '../support/screen.tsx';
import {workParts} from '../support/work-sample.ts';

let screen: Screen;

const leave = '\x1b';

/** The Work view over a service that answers when the test says so. */
async function work(isRefused = false) {
	const {promise, resolve: answer} = Promise.withResolvers<void>();
	const answered = async <Value,>(value: Value) => {
		await promise;
		if (isRefused) throw new RejectedError('No room for it.', {hint: ''});
		return value;
	};
	const service = {
		sessions: {create: () => answered({sessionId: 's-new', status: 'idle'})},
		computers: {create: () => answered({id: 'c-new', name: 'new-box', status: 'running'})},
		agentRequests: {agents: async () => ['claude', 'shell']},
	} as unknown as Service;
	const {parts} = workParts({service, profile: {agent: 'shell'}});
	screen = openScreen(parts, 120, 40);
	await screen.until(has('fix-login'));
	parts.view.setState({cursor: {section: 'computers', id: 'build-box'}, focus: 'lists'});
	const written = (id = newSessionDraft) => parts.composers.getState().bySession.get(id)?.editor.text;
	const sent = () => parts.calls.filter(call => call.startsWith('enqueue'));
	const view = () => parts.view.getState();
	return {parts, answer, written, sent, view};
}

test('text typed while the dialog creates a session goes to its composer, including Enter', async () => {
	const {answer, sent, view} = await work();
	await screen.press('n', 'echo hi', '\r', 'second', ' one', '\r', '\x1b[200~third\x1b[201~');
	await screen.until(has('Creating the session…', 'what you type goes to it; Esc stops waiting'));
	expect(sent()).toEqual([]);
	answer();
	await screen.until(has('> third'));
	expect(sent()).toEqual(['enqueue s-new echo hi', 'enqueue s-new second one']);
	expect(view()).toMatchObject({dialogs: [], focus: 'composer'});
});

test('text typed while a session is created follows the words in the dialog if that fails', async () => {
	const {answer, sent, written} = await work(true);
	await screen.press('n', 'echo hi', '\r', 'second', '\r');
	await screen.until(has('Creating the session…'));
	answer();
	await screen.until(has('> echo hi', 'second', 'No room for it.'));
	expect(written()).toBe('echo hi\nsecond');
	expect(sent()).toEqual([]);
});

test('text typed while a session is created becomes a draft if Esc closes the dialog first', async () => {
	const {answer, sent, view, written} = await work();
	await screen.press('n', 'echo hi', '\r', 'second', leave);
	await screen.until(has('Your text is kept as a draft: n shows it'));
	expect(view().dialogs).toEqual([]);
	answer();
	await screen.until(() => sent().length > 0);
	expect(sent()).toEqual(['enqueue s-new echo hi']);
	expect(written()).toBe('second');
});

test('words being sent stay in the stored draft, before what is typed next, until they have arrived', async () => {
	const {parts, answer, written} = await work();
	const stored = () => parts.kept.get(newSessionDraft)?.text;
	await screen.press('n', 'echo hi', '\r', leave, 'n', 'second');
	await screen.until(has('> second'));
	parts.drafts.flush();
	expect(stored()).toBe('echo hi\nsecond');
	answer();
	await screen.until(has('The new session is ready'));
	parts.drafts.flush();
	expect([written(), stored()]).toEqual(['second', 'second']);
});

test('text typed while another form waits stays in its field if the form is refused', async () => {
	const {answer} = await work(true);
	await screen.press('N', '\t', 'box', '\r', '-2', '\x1b[200~-eu\x1b[201~');
	await screen.until(has('box-2-eu', 'waiting for the service'));
	answer();
	await screen.until(has('box-2-eu', 'No room for it.'));
});

test('text typed while another form waits is reported as not sent if the form closes', async () => {
	const {answer} = await work();
	await screen.press('N', '\t', 'box', '\r', '-2');
	await screen.until(has('box-2', 'waiting for the service'));
	answer();
	await screen.until(has('Text typed while the form was waiting was not sent'));
});
