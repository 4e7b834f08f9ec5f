import {join} from 'node:path';
import {afterEach, beforeEach, expect, onTestFinished, test} from 'vitest';
import {ServerError} from '../../../../src/api/errors.ts';
import {openDatabase} from '../../../../src/db/open-database.ts';
import type {Computer} from '../../../../src/domain/computers/computer.ts';
import {failureOf} from '../../../../src/domain/computers/provisioning.ts';
import {recordDurations} from '../../../../src/sync/fleet/computer-watcher.ts';
import {type EngineBench, engineBench} from '../../../support/engine-bench.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

let bench: EngineBench;
let {clock, model, database, stores, engine} = {} as EngineBench;

beforeEach(async () => {
	bench = engineBench();
	await bench.start();
	({clock, model, database, stores, engine} = bench);
});
afterEach(() => bench.end());

const shown = () => stores.fleet.getState().computers.get('c')?.computer;

function set(computer: Omit<Computer, 'id'>): void {
	model.computers.set('c', {id: 'c', ...computer});
}

test('watches a computer until its provisioning is over', async () => {
	set({
		status: 'provisioning',
		provisioningSteps: [{id: '1', name: 'clone', status: 'running', startedAt: 0}],
	});
	engine.computers.remember({id: 'c', status: 'provisioning'}, 'created');
	await clock.advance(3_000);
	expect(shown()?.provisioningSteps?.[0]?.status).toBe('running');
	model.clear();
	await clock.advance(60_000);
	const reads = model.requests.length;
	expect(reads).toBeGreaterThan(3);
	expect(reads).toBeLessThan(30);
	set({
		status: 'active',
		provisioningSteps: [
			{id: '1', name: 'clone', status: 'done', startedAt: 0, completedAt: 4_000},
			{id: '2', name: 'install-deps', status: 'done', installSessionId: 'install'},
		],
	});
	await clock.advance(40_000);
	expect(shown()?.status).toBe('active');
	for (const ms of [1, 9_000]) database.durations.add('clone', ms);
	expect(database.durations.median('clone')).toBe(4_000);
	expect(stores.fleet.getState().sessions.get('install')).toMatchObject({
		origin: 'install-step',
		computerId: 'c',
	});
	engine.registry.forgetSession('install');
	await clock.advance(12 * 3_600_000);
	model.clear();
	await clock.advance(600_000);
	expect(model.requests.map(({id}) => id)).toEqual(['c', 'c']);
});

test.each([
	{name: 'a minute ago', ago: 60_000, cadence: 15_000},
	{name: 'half an hour ago', ago: 1_800_000, cadence: 30_000},
	{name: 'long ago', ago: 1e9, cadence: 300_000},
])('notices a failure of a computer that was up $name, though nobody looks at it', async ({ago, cadence}) => {
	const up = {status: 'active', createdAt: clock.now() - ago};
	set({...up, provisioningSteps: [{name: 'install', status: 'done'}]});
	engine.computers.add('c', 'added');
	await clock.advance(1_000);
	model.clear();
	await clock.advance(cadence * 3.5);
	expect(model.requests).toHaveLength(3);
	set({...up, provisioningSteps: [{name: 'install', status: 'failed', error: 'no disk'}]});
	await clock.advance(cadence);
	expect(shown()?.provisioningSteps?.[0]?.error).toBe('no disk');
});

test('shows a provisioning failure within 15 s, however long nothing has changed', async () => {
	for (const [index, quiet] of [20_000, 120_000, 1_000_000].entries()) {
		set({status: 'provisioning', provisioningSteps: [{name: `install ${index}`, status: 'running'}]});
		if (index === 0) engine.computers.add('c', 'added');
		engine.refresh('c');
		await clock.advance(quiet);
		set({
			status: 'error',
			provisioningSteps: [{name: `install ${index}`, status: 'failed', error: `no disk ${index}`}],
		});
		await clock.advance(15_000);
		expect(shown()?.provisioningSteps?.[0]?.error).toBe(`no disk ${index}`);
	}
});

test('retrying a computer clears the acknowledgment of its failure, even if it fails with the same words', async () => {
	const failed = {
		status: 'error',
		provisioningSteps: [{name: 'install', status: 'failed', error: 'no disk'}],
	};
	const subject = {kind: 'computer', id: 'c'} as const;
	const {episode = ''} = failureOf({id: 'c', ...failed}) ?? {};
	set(failed);
	engine.computers.add('c', 'added');
	await clock.advance(1_000);
	engine.attention.put({subject, episode, kind: 'acknowledged', at: clock.now()});
	const readAgain = async () => {
		engine.refresh('c');
		await clock.advance(1_000);
		return stores.attention.getState().marks.size;
	};
	expect(await readAgain()).toBe(1);
	set({status: 'provisioning', provisioningSteps: [{name: 'install', status: 'running'}]});
	expect(await readAgain()).toBe(0);
	expect(database.attention.all()).toEqual([]);
	set(failed);
	expect(await readAgain()).toBe(0);
});

test('drops an answer that was requested before an action', async () => {
	set({status: 'active', provisioningSteps: [{name: 'install-deps', status: 'failed'}]});
	engine.computers.add('c', 'added');
	await clock.advance(1_000);
	engine.refresh('c');
	await clock.advance(1);
	const computers: string[] = [];
	stores.fleet.subscribe(({computers: all}) =>
		computers.push(all.get('c')?.computer?.provisioningSteps?.[0]?.status ?? ''),
	);
	engine.computers.remember(
		{id: 'c', status: 'active', provisioningSteps: [{name: 'install-deps', status: 'running'}]},
		'added',
	);
	await clock.advance(4);
	set({status: 'active', provisioningSteps: [{name: 'install-deps', status: 'done'}]});
	await clock.advance(5_000);
	expect([...new Set(computers)]).toEqual(['running', 'done']);
});

test("a computer that doesn't exist says so and isn't asked for again", async () => {
	engine.computers.add('nobody', 'added');
	await clock.advance(60_000);
	expect(model.requests).toHaveLength(1);
	expect(stores.fleet.getState().problems.get('nobody')?.what).toBe('There is no such thing.');
	engine.computers.forget('nobody');
	expect(stores.fleet.getState().computers.size).toBe(0);
	expect(stores.fleet.getState().problems.size).toBe(0);
});

test("a new computer that isn't found yet is starting, and is read until it is found", async () => {
	engine.computers.remember({id: 'c', status: 'provisioning'}, 'created');
	await clock.advance(5_000);
	expect(stores.fleet.getState().problems.get('c')?.isStarting).toBe(true);
	expect(model.requests.length).toBeGreaterThan(1);
	set({status: 'active'});
	await clock.advance(2_500);
	expect(shown()?.status).toBe('active');
	expect(stores.fleet.getState().problems.size).toBe(0);
});

test('a computer that vanished while provisioning is read now and then, and found when it is back', async () => {
	engine.computers.remember({id: 'c', status: 'provisioning'}, 'created');
	await clock.advance(125_000);
	expect(stores.fleet.getState().problems.get('c')).toMatchObject({isStarting: false, isMissing: true});
	model.clear();
	await clock.advance(29_000);
	expect(model.requests.length).toBeLessThan(2);
	set({status: 'active'});
	await clock.advance(70_000);
	expect(shown()?.status).toBe('active');
});

test('a missing computer is read again while somebody looks at it, at least 30 s apart', async () => {
	engine.computers.add('c', 'added');
	await clock.advance(1_000);
	const release = engine.computers.watch('c');
	await clock.advance(20_000);
	engine.computers.watch('c')();
	await clock.advance(5_000);
	expect(model.requests).toHaveLength(1);
	await clock.advance(20_000);
	expect(model.requests).toHaveLength(2);
	set({status: 'active'});
	await clock.advance(70_000);
	expect(shown()?.status).toBe('active');
	release();
});

test('repeats a failed read, though there is nothing to wait for', async () => {
	set({status: 'active'});
	let failures = 3;
	model.intercept = () => {
		if (failures-- > 0) throw new ServerError('It broke.', {hint: 'Wait.', status: 500});
	};
	engine.computers.add('c', 'added');
	await clock.advance(30_000);
	expect(shown()?.status).toBe('active');
	expect(model.requests).toHaveLength(4);
});

test('reads a settled computer once a minute while somebody looks at it, but not for a glance', async () => {
	set({status: 'active'});
	engine.computers.add('c', 'added');
	await clock.advance(120_000);
	model.clear();
	engine.computers.watch('c')();
	await clock.advance(10_000);
	expect(model.requests).toEqual([]);
	const release = engine.computers.watch('c');
	await clock.advance(2_000);
	expect(model.requests).toHaveLength(1);
	await clock.advance(125_000);
	expect(model.requests).toHaveLength(3);
	release();
	await clock.advance(60_000);
	expect(model.requests).toHaveLength(3);
});

test('reads a settled computer rarely while the service tells of changes', async () => {
	set({status: 'active', createdAt: clock.now()});
	engine.computers.add('c', 'added');
	await clock.advance(2_000);
	model.clear();
	engine.computers.setFed(true);
	await clock.advance(240_000);
	expect(model.requests).toEqual([]);
	await clock.advance(60_000);
	expect(model.requests).toHaveLength(1);
});

test('restores a forgotten computer as it was, in its place, and reads it', async () => {
	set({name: 'box', status: 'active'});
	engine.computers.add('c', 'created');
	await clock.advance(1_000);
	const known = stores.fleet.getState().computers.get('c');
	engine.computers.forget('c');
	expect(database.computers.forgotten()).toEqual(['c']);
	await clock.advance(60_000);
	model.clear();
	if (known) engine.computers.restore(known);
	expect(stores.fleet.getState().computers.get('c')).toEqual(known);
	expect(database.computers.all()).toEqual([known]);
	await clock.advance(1_000);
	expect(model.requests).toHaveLength(1);
	expect(stores.fleet.getState().computers.get('c')).toMatchObject({
		origin: 'created',
		addedAt: known?.addedAt,
	});
});

test('stops reading a missing computer that nobody looks at any more', async () => {
	engine.computers.add('c', 'added');
	const release = engine.computers.watch('c');
	await clock.advance(1_000);
	release();
	model.clear();
	await clock.advance(600_000);
	expect(model.requests).toEqual([]);
	expect(clock.pending).toBe(0);
	engine.refresh('c');
	await clock.advance(1_000);
	expect(model.requests).toHaveLength(1);
});

test('a computer may have more steps than a function call takes arguments', async () => {
	const step = {status: 'completed', startedAt: 1, completedAt: 2};
	set({
		status: 'active',
		provisioningSteps: Array.from({length: 70_000}, (_, id) => ({id: `${id}`, ...step})),
	});
	engine.computers.add('c', 'added');
	await clock.advance(1_000);
	expect(shown()?.provisioningSteps).toHaveLength(70_000);
	expect(clock.pending).toBeGreaterThan(0);
});

test('a computer that the service returns under another id keeps the id that was asked for', async () => {
	set({status: 'active', name: 'box'});
	model.computers.set('C', {id: 'c', name: 'box', status: 'active'});
	engine.computers.add('C', 'added');
	await clock.advance(1_000);
	const {computers} = stores.fleet.getState();
	expect([...computers.keys()]).toEqual(['C']);
	expect(computers.get('C')?.computer).toMatchObject({id: 'C', name: 'box'});
});

test('saves the steps that ended between two reads in one write, each once', () => {
	const database = openDatabase({file: join(temporaryFolder(), 'kept.db')});
	onTestFinished(() => database.close());
	let writes = 0;
	const safeWrite = <T>(write: () => T) => {
		writes++;
		return write();
	};
	const computer = (status: string, ...ids: string[]) => ({
		id: 'c',
		provisioningSteps: ids.map(id => ({id, name: 'clone', status, startedAt: 0, completedAt: 7})),
	});
	recordDurations({database, safeWrite}, computer('running', 'a', 'b', 'c'), computer('completed', 'c', 'b'));
	expect([writes, database.durations.median('clone')]).toEqual([1, undefined]);
	recordDurations(
		{database, safeWrite},
		computer('completed', 'b', 'c'),
		computer('completed', 'c', 'b', 'd'),
	);
	expect([writes, database.durations.median('clone')]).toEqual([2, 7]);
	recordDurations({database, safeWrite}, computer('completed', 'd'), computer('completed', 'd'));
	expect(writes).toBe(2);
});
