import {afterEach, beforeEach, expect, test} from 'vitest';
import type {ProbeMode} from '../../../../src/sync/fleet/status-probe.ts';
import {type EngineBench, engineBench} from '../../../support/engine-bench.ts';

let bench: EngineBench;

beforeEach(() => {
	bench = engineBench();
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
	await bench.engine.enqueue('s', {text: 'build it'});
	await bench.clock.advance(2_000);
	bench.model.add('s', 1);
	await bench.clock.advance(2_000);
	bench.model.clear();
}

const status = () => bench.stores.fleet.getState().sessions.get('s')?.status?.value;
const probes = () => bench.model.requests.filter(({kind}) => kind === 'probe').length;

test('a service that is asked for the status says whether a quiet agent is still working', async () => {
	await startQuietAgent('auto');
	const seen = new Set<string | undefined>();
	const unsubscribe = bench.stores.fleet.subscribe(() => seen.add(status()));
	await bench.clock.advance(20 * 60_000);
	expect([...seen]).toEqual(['running']);
	expect(probes()).toBeLessThanOrEqual(20 * 4);
	bench.model.running.delete('s');
	await bench.clock.advance(60_000);
	expect(status()).toBe('idle');
	bench.model.clear();
	await bench.clock.advance(10 * 60_000);
	expect(probes()).toBe(0);
	unsubscribe();
});

test("if the service isn't asked, silence after an answer ends the turn", async () => {
	await startQuietAgent('manual');
	await bench.clock.advance(30_000);
	expect([status(), probes()]).toEqual(['idle', 0]);
});

test('asks the service once about a session with no current status, then leaves it alone', async () => {
	await start('auto');
	expect([status(), probes()]).toEqual(['idle', 1]);
	await bench.clock.advance(10 * 60_000);
	expect(probes()).toBe(1);
	await bench.engine.stop();
	bench.database.sessions.put({
		id: 's',
		origin: 'added',
		addedAt: bench.clock.now(),
		status: {value: 'running', source: 'hook', at: bench.clock.now() - 3_600_000},
	});
	await start('auto');
	expect([status(), probes()]).toEqual(['idle', 2]);
});
