import {afterEach, beforeEach, expect, test} from 'vitest';
import {RejectedError} from '../../../../src/api/errors.ts';
import {sessionItems} from '../../../../src/state/sessions/session-items.ts';
import {isUnsure} from '../../../../src/state/sessions/session-state.ts';
import type {ProbeMode} from '../../../../src/sync/fleet/status-probe.ts';
import {type EngineBench, engineBench} from '../../../support/engine-bench.ts';

let bench: EngineBench;

beforeEach(() => {
	bench = engineBench({isLive: true});
});
afterEach(() => bench.end());

async function start(statusProbe: ProbeMode): Promise<void> {
	await bench.start({statusProbe});
	bench.engine.sessions.open('s');
	bench.engine.sessions.focus('s');
	await bench.clock.advance(1_000);
}

/** An agent that has said one thing of its turn and is at work since, without a word. */
async function startQuietAgent(statusProbe: ProbeMode): Promise<void> {
	await start(statusProbe);
	bench.model.running.add('s');
	await bench.engine.outbox.enqueue('s', {text: 'build it'});
	await bench.clock.advance(2_000);
	bench.model.add('s', 1);
	await bench.clock.advance(2_000);
	bench.model.clear();
}

/** The session's state on every screen and in every command. */
function state(): string | undefined {
	const [item] = sessionItems(bench.stores.fleet.getState(), bench.stores.outbox.getState());
	return item && `${item.state}${isUnsure(item, bench.clock.now()) ? '?' : ''}`;
}
const probes = () => bench.model.requests.filter(({kind}) => kind === 'probe').length;

test('while a turn of ours is silent, the service says whether it goes on', async () => {
	await startQuietAgent('auto');
	const seen = new Set<string | undefined>();
	const unsubscribe = bench.stores.fleet.subscribe(() => seen.add(state()));
	await bench.clock.advance(20 * 60_000);
	expect([...seen]).toEqual(['working']);
	expect(probes()).toBeLessThanOrEqual(20 * 4);
	bench.model.running.delete('s');
	await bench.clock.advance(60_000);
	expect(state()).toBe('done');
	bench.model.clear();
	await bench.clock.advance(10 * 60_000);
	expect(probes()).toBe(0);
	unsubscribe();
});

test('a service that refuses is asked no more: the turn is probably done, and read on every few seconds', async () => {
	let refused = 0;
	bench.model.service.sessions.update = async () => {
		refused++;
		throw new RejectedError('No.', {hint: ''});
	};
	await startQuietAgent('auto');
	await bench.clock.advance(30_000);
	expect([state(), refused]).toEqual(['done?', 1]);
	bench.model.clear();
	await bench.clock.advance(60_000);
	expect(bench.model.requests.length).toBeGreaterThan(15);
	bench.model.add('s', 1);
	await bench.clock.advance(4_000);
	expect([state(), refused]).toEqual(['working', 1]);
});

test.each(['manual', 'off'] as const)(
	'with statusProbe %s, silence makes a turn probably done',
	async mode => {
		await startQuietAgent(mode);
		await bench.clock.advance(30_000);
		expect([state(), probes()]).toEqual(['done?', 0]);
	},
);

test('a turn that others began is not asked about', async () => {
	await start('auto');
	bench.model.add('s', 1, 'user');
	await bench.clock.advance(2_000);
	bench.model.add('s', 1);
	await bench.clock.advance(60_000);
	expect([state(), probes()]).toEqual(['done?', 0]);
});

test('what the service said stays after a restart', async () => {
	await startQuietAgent('auto');
	bench.model.running.delete('s');
	await bench.clock.advance(60_000);
	expect(state()).toBe('done');
	await bench.engine.stop();
	await bench.start({statusProbe: 'auto'});
	expect(state()).toBe('done');
	await bench.clock.advance(60_000);
	expect(state()).toBe('done');
});
