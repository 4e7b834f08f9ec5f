import {expect, test} from 'vitest';
import {RejectedError} from '../../src/api/errors.ts';
import type {Service} from '../../src/api/service.ts';
import {noOption, onceOption} from '../../src/domain/sessions/agent-request.ts';
import type {HookRequest} from '../../src/domain/sessions/hook-request.ts';
import {heldWait} from '../../src/ui/dialogs/dialog-module.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {fleet, noon, signal} from '../support/fleet.ts';
import {has, openScreen} from '../support/screen.tsx';

const request: HookRequest = {
	id: 'r1',
	sessionId: 's1',
	isFromHook: true,
	kind: 'permission',
	client: 'claude',
	agentPid: 1,
	tool: 'Bash',
	title: 'Bash: rm -r build',
	text: 'rm -r build',
	options: [onceOption, noOption],
	createdAt: noon,
};

/** A screen on a service that offers no requests, with these of hooks. */
async function open(requests: readonly HookRequest[] = [request], isTaken = true, shown = 'rm -r build') {
	const clock = fakeClock(noon);
	const calls: string[] = [];
	const cannot = async () => {
		throw new RejectedError("This service can't do that.", {hint: ''});
	};
	const service = {agentRequests: {list: cannot, answer: cannot}} as unknown as Service;
	const parts = appParts(clock, {service, profile: {host: 'api.example.com'}});
	const set = (open: readonly HookRequest[]) =>
		parts.stores.fleet.setState({
			...fleet([], [], [signal('s1', 'needs-permission', {cwd: '/work/shop'})]),
			requests: new Map(open.map(one => [one.id, one])),
		});
	parts.actions.engine.hooks.answerRequest = async (id, {option, words}) => {
		calls.push([id, option, words].filter(Boolean).join(' '));
		if (isTaken) set([]);
		return isTaken;
	};
	set(requests);
	parts.view.setState({cursor: {section: 'needs', id: 's1'}});
	const screen = openScreen(parts, 120, 40);
	await screen.until(has(shown));
	await screen.press('!');
	await screen.until(has('Words to the agent'));
	return {clock, screen, calls, set};
}

test.each([
	['y', 'r1 once', 'Allowed once'],
	['n', 'r1 no', 'Denied'],
])(
	"%s answers a hook's request after half a second, though the service offers no requests",
	async (key, call, told) => {
		const {clock, screen, calls} = await open();
		await clock.advance(500);
		await screen.press('a');
		await screen.until(has("doesn't offer that answer"));
		expect(calls).toEqual([]);
		await screen.press(key);
		await clock.advance(heldWait);
		await screen.until(has(told));
		expect(calls).toEqual([call]);
		expect((await screen.rows()).join('\n')).not.toContain('Words to the agent');
	},
);

test('the request of the session at the cursor is shown in the main area, without keys that answer elsewhere', async () => {
	const text = Array.from({length: 60}, (_, index) => `+line ${index}`).join('\n');
	const always = {word: 'always', label: 'always allow', allows: true, changes: ['allow Edit']};
	const edit = {
		...request,
		tool: 'Edit',
		title: 'Edit: a.ts',
		text: `--- a.ts\n+++ b.ts\n${text}`,
		options: [onceOption, always, noOption],
	};
	const {screen} = await open([edit], true, 'a.ts');
	await screen.press('\x1b');
	const rows = (await screen.until(has('+line 0', 'more lines', '! answers'))).join('\n');
	expect(rows).not.toMatch(/always allow|line 59/);
});

test('the request on the screen never changes; when it is over, the dialog says so', async () => {
	const {clock, screen, calls, set} = await open();
	set([{...request, id: 'r2', title: 'Bash: curl evil', text: 'curl evil', createdAt: noon - 1}]);
	await clock.advance(500);
	await screen.until(has('This request is over'));
	await screen.press('y', 'a', 'n');
	expect(calls).toEqual([]);
	expect((await screen.rows()).join('\n')).toContain('rm -r build');
});

test('an answer that came too late says so', async () => {
	const {clock, screen, calls} = await open([request], false);
	await clock.advance(500);
	await screen.press('y');
	await clock.advance(heldWait);
	await screen.until(has('This request is over'));
	expect(calls).toEqual(['r1 once']);
	expect((await screen.rows()).join('\n')).not.toContain('Allowed');
});
