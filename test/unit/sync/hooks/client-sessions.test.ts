import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import type {HookEvent} from '../../../../src/domain/sessions/hook-event.ts';
import type {HookRequest} from '../../../../src/domain/sessions/hook-request.ts';
import {reduceSignal, type Signal} from '../../../../src/domain/sessions/signal.ts';
import {createFleetStore} from '../../../../src/state/fleet.ts';
import {ClientSessions} from '../../../../src/sync/hooks/client-sessions.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {noon, signal} from '../../../support/fleet.ts';

/** Followed sessions over a folder of files; `events` are those made of them. */
async function follow(state: Signal['state'], more: Partial<Signal> = {}) {
	const folder = mkdtempSync(join(tmpdir(), 'client-sessions-'));
	onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
	const clock = fakeClock(noon);
	const fleet = createFleetStore();
	const events: HookEvent[] = [];
	const over: string[] = [];
	const set = (next: Signal) => fleet.setState({signals: new Map([['claude:s1', next]])});
	set(signal('s1', state, more));
	const sessions = new ClientSessions({
		clock,
		fleet,
		folder,
		onEvent(event) {
			events.push(event);
			const {signal: next} = reduceSignal(fleet.getState().signals.get('claude:s1'), event);
			if (next) set(next);
		},
		onAnswered: ({id}) => over.push(id),
	});
	sessions.start();
	onTestFinished(() => sessions.stop());
	const write = (status: string, after: number, name = '7.json', sessionId = 's1') =>
		writeFileSync(
			join(folder, name),
			JSON.stringify({pid: 7, sessionId, status, statusUpdatedAt: noon + after}),
		);
	const isFollowed = () =>
		fleet.getState().requests.size > 0 ||
		[...fleet.getState().signals.values()].some(
			({client, state}) => client === 'claude' && (state === 'working' || state === 'needs-permission'),
		);
	/** Lets this much time go by, with time for the files that are read meanwhile. */
	const pass = async (ms: number) => {
		for (let left = ms; left > 0; left -= 100) {
			await clock.advance(100);
			await expect.poll(() => clock.pending === 1 || !isFollowed()).toBe(true);
		}
	};
	return {folder, fleet, clock, events, over, write, pass, sessions};
}

const stateOf = ({fleet}: Awaited<ReturnType<typeof follow>>) =>
	fleet.getState().signals.get('claude:s1')?.state;

test.each([
	['busy', 'working', 'PermissionAnswered'],
	['idle', 'idle', 'Interrupt'],
])('a prompt whose client is %s again is over within 2 s', async (status, state, event) => {
	const followed = await follow('needs-permission');
	followed.write('waiting', 100);
	await followed.pass(1000);
	expect(followed.events).toEqual([]);
	followed.write(status, 1000);
	await followed.pass(2000);
	expect(stateOf(followed)).toBe(state);
	expect(followed.events).toMatchObject([{event, ts: noon + 1000, data: {session_id: 's1'}}]);
});

test('a turn that was ended by Esc is idle within 2 s, and one that goes on is left alone', async () => {
	const followed = await follow('working');
	followed.write('busy', 100);
	await followed.pass(1000);
	expect(followed.events).toEqual([]);
	followed.write('idle', 1000);
	await followed.pass(2000);
	expect(stateOf(followed)).toBe('idle');
});

test('a hook that reports the end in time wins', async () => {
	const followed = await follow('working');
	followed.write('idle', 100);
	await followed.pass(500);
	followed.fleet.setState({
		signals: new Map([['claude:s1', signal('s1', 'done', {lastEventAt: noon + 150})]]),
	});
	await followed.pass(3000);
	expect(followed.events).toEqual([]);
	expect(stateOf(followed)).toBe('done');
});

test('what is older than the last event, of another session or client, or no such file changes nothing', async () => {
	const followed = await follow('needs-permission');
	const {folder, write, pass, events} = followed;
	write('busy', -5);
	write('busy', 10, '8.json', 's2');
	write('busy', 10, 'x.json');
	writeFileSync(join(folder, '9.json'), '{"sessionId": "s1", "status": ');
	writeFileSync(join(folder, '10.json'), JSON.stringify({sessionId: 's1', status: 1, statusUpdatedAt: 'x'}));
	writeFileSync(join(folder, '11.json'), `{"sessionId": "s1", "pad": "${'x'.repeat(20_000)}"}`);
	mkdirSync(join(folder, '12.json'));
	symlinkSync('/dev/zero', join(folder, '13.json'));
	spawnSync('mkfifo', [join(folder, '14.json')], {timeout: 10_000});
	await pass(3000);
	expect(events).toEqual([]);
	followed.fleet.setState({
		signals: new Map([['codex:s2', signal('s2', 'needs-permission', {client: 'codex'})]]),
	});
	await pass(1000);
	expect(events).toEqual([]);
});

test('a request that was answered in its client is told once it goes on', async () => {
	const followed = await follow('needs-permission');
	const request = {id: 'r1', sessionId: 's1', createdAt: noon + 50} as HookRequest;
	followed.fleet.setState({requests: new Map([['r1', request]])});
	followed.write('busy', 40);
	await followed.pass(1000);
	expect(followed.over).toEqual([]);
	followed.write('waiting', 1000);
	await followed.pass(1000);
	expect(followed.over).toEqual([]);
	followed.write('busy', 2000);
	await followed.pass(1000);
	expect(followed.over).toContain('r1');
});

test('several programs make the same event, which is stored once', async () => {
	const [one, other] = [await follow('needs-permission'), await follow('needs-permission')];
	for (const followed of [one, other]) {
		followed.write('busy', 100);
		await followed.pass(1000);
	}
	expect(one.events).toHaveLength(1);
	expect(one.events[0]?.id).toBe(other.events[0]?.id);
});
