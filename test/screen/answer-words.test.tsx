import {describe, expect, test} from 'vitest';
import {
	type AgentRequest,
	noOption,
	onceOption,
	questionOptions,
} from '../../src/domain/sessions/agent-request.ts';
import {heldWait} from '../../src/ui/dialogs/dialog-module.ts';
import {settle} from '../support/fake-clock.ts';
import {permission as anyPermission, asks, noon} from '../support/fleet.ts';
import {openRequests, type RequestsScreenOptions} from '../support/requests-screen.ts';
import {has, type Screen} from '../support/screen.tsx';

// What is written as an answer is never lost, and the dialog says all it has to say on any screen.

let screen: Screen;

const permission: AgentRequest = {...anyPermission, options: [onceOption, noOption]};
const question: AgentRequest = {
	...permission,
	kind: 'question',
	text: 'Which color?',
	options: questionOptions,
};

/** The dialog of the first request, whose keys count. */
async function open(requests: readonly AgentRequest[], options: RequestsScreenOptions = {}) {
	const {parts, service, setActivity, ...opened} = await openRequests({requests, ...options});
	screen = opened.screen;
	await screen.press('!');
	await screen.until(rows => has('Answer request')(rows) || has('Answer question')(rows));
	await opened.clock.advance(500);
	return {
		list: service.requests,
		endRequest() {
			service.requests.shift();
			setActivity({...asks, newestId: 'm2', changedAt: noon + 1});
		},
		draft: () => parts.composers.getState().bySession.get('s1')?.editor.text ?? '',
		kept: parts.kept,
		clock: opened.clock,
	};
}

/** The text of the dialog, without its borders and breaks. */
const words = (rows: readonly string[]) => rows.join(' ').replace(/[\s│╭╮╰╯─]+/g, ' ');

describe('an answer that is being written', () => {
	test('stays when its request ends, can be finished, and becomes a draft', async () => {
		const {endRequest, draft} = await open([question]);
		await screen.press('a long ans');
		endRequest();
		const rows = await screen.until(has('This request is over'));
		expect(words(rows)).toContain('Nothing was sent from here. Closing this keeps your words.');
		expect(words(rows)).toContain('a long ans');
		await screen.press('wer', '\r');
		await screen.until(has('a long answer'));
		await screen.press('\x1b');
		await screen.until(has('your words are a draft in api'));
		expect(draft()).toBe('a long answer');
	});

	test('becomes a draft when the dialog closes', async () => {
		const {draft, kept, clock} = await open([question]);
		await screen.press('blue, I think', '\x1b');
		await screen.until(has('your words are a draft in api'));
		expect(draft()).toBe('blue, I think');
		await clock.advance(200);
		expect(kept.get('s1')?.text).toBe('blue, I think');
	});

	test('is kept as a draft when the user moves from a request that is over to the next one', async () => {
		const {endRequest, draft} = await open([question, {...permission, id: 'r2'}]);
		await screen.press('blue');
		endRequest();
		await screen.until(has('This request is over'));
		await screen.press(']');
		await screen.until(has('Answer request'));
		expect(draft()).toBe('blue');
	});

	test('is kept if it arrives after its request ended, with the dialog closed', async () => {
		const gate = Promise.withResolvers<void>();
		const {list, draft, clock} = await open([question], {gate: gate.promise});
		await screen.press('blue', '\r');
		await clock.advance(heldWait);
		await screen.press('\x1b');
		list.length = 0;
		gate.resolve();
		await settle();
		await screen.until(has('This request is over'));
		expect(draft()).toBe('blue');
	});
});

test('names the session, agent, computer and folder of a request', async () => {
	await open([permission]);
	await screen.until(has('api · claude · gpu-1 · /srv/shop', 'y allow once'));
});

test("a plan is shown as the agent's messages are, and approved in plain words", async () => {
	const text = '# Faster checkout\n\n1. **Load** the map late.';
	await open([{...permission, tool: 'ExitPlanMode', isPlan: true, text}]);
	const rows = await screen.until(
		has('Faster checkout', '1. Load the map late.', 'y approve the plan', 'n deny'),
	);
	expect(rows.join()).not.toMatch(/# Faster|\*\*|allow once/);
});

test('a permission answered too late says that it is over, even with the dialog closed', async () => {
	const gate = Promise.withResolvers<void>();
	const {list, clock} = await open([{...permission, text: 'make'}], {gate: gate.promise});
	await screen.press('y');
	await clock.advance(heldWait);
	await screen.press('\x1b');
	list.length = 0;
	gate.resolve();
	await settle();
	await screen.until(has('This request is over'));
});

test('the dialog says that a key came together with others, not that it came too soon', async () => {
	const {clock} = await open([question]);
	await clock.advance(60_000);
	await screen.press('blue\r');
	const rows = await screen.until(has('came together with others'));
	expect(words(rows)).toContain('blue');
	expect(words(rows)).not.toContain('too soon');
});
