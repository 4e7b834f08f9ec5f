import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {Stream} from '../../../../src/state/stream.ts';
import {type EngineBench, engineBench} from '../../../support/engine-bench.ts';

const second = 1_000;
const minute = 60 * second;

let bench: EngineBench;
afterEach(() => bench.end());

const ids = (stream: Stream | undefined) => stream?.entries.map(({id}) => id);
const unread = () => bench.stores.fleet.getState().sessions.get('s')?.activity?.unread;

describe.each(['newest-first', 'oldest-first'] as const)('%s', pages => {
	beforeEach(async () => {
		bench = engineBench({pages, isLive: true});
		await bench.engine.start();
	});

	test('a preview shows what is cached, makes no requests and marks nothing as read', async () => {
		const {engine, model, clock} = bench;
		model.add('s', 1, 'user');
		engine.registry.addSession('s', 'added');
		await clock.advance(minute);
		model.add('s', 3);
		await clock.advance(minute);
		expect(unread()).toBe(3);
		model.clear();
		const preview = engine.sessions.preview('s');
		expect(model.requests).toEqual([]);
		expect(ids(preview)).toEqual(model.ids('s'));
		expect(preview).toMatchObject({phase: {name: 'ready'}, hasOlder: false});
		expect(preview?.entries.map(entry => entry.kind === 'message' && entry.role)).toEqual([
			'user',
			...Array.from({length: 3}, () => 'assistant'),
		]);
		expect(bench.stores.streams.getState().open.size).toBe(0);
		expect(unread()).toBe(3);
		// The background reads go on as if nothing had been shown.
		model.add('s', 1);
		await clock.advance(minute);
		expect(ids(engine.sessions.preview('s'))).toEqual(model.ids('s'));
		expect(unread()).toBe(4);
	});

	test('a preview of a long session shows its newest messages', async () => {
		const {engine, model, clock} = bench;
		model.add('s', 120);
		engine.registry.addSession('s', 'added');
		await clock.advance(minute);
		const preview = engine.sessions.preview('s');
		expect(ids(preview)).toEqual(model.ids('s').slice(-40));
		expect(preview?.hasOlder).toBe(true);
	});

	test("a session with nothing cached isn't shown as empty", async () => {
		const {engine, clock} = bench;
		expect(engine.sessions.preview('s')).toMatchObject({entries: [], phase: {name: 'loading'}});
		engine.registry.addSession('s', 'added');
		await clock.advance(minute);
		expect(engine.sessions.preview('s')).toMatchObject({
			entries: [],
			phase: {name: 'ready'},
			hasOlder: false,
		});
	});
});
