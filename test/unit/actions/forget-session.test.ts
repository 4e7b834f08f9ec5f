import {expect, onTestFinished, test} from 'vitest';
import {forgetSession} from '../../../src/actions/sessions.ts';
import {engineBench} from '../../support/engine-bench.ts';

/** An engine over a real database, with a session that has a history. */
async function bench() {
	const all = engineBench({isLive: true});
	onTestFinished(() => all.end());
	const {engine, stores, model, clock} = all;
	await engine.start();
	engine.registry.addSession('s', 'created', {cwd: '/srv/app', transcriptPath: '/home/me/t.jsonl'});
	engine.registry.markSession('s', {name: 'login', pinned: true});
	model.add('s', 3, 'assistant');
	await clock.advance(60_000);
	engine.sessions.activity.markSeen('s');
	const known = () => stores.fleet.getState().sessions.get('s');
	const forget = () =>
		forgetSession({engine, stores, clock, keyName: () => 'u', service: model.service} as never, 's');
	return {...all, known, forget};
}

test('restores a forgotten session as it was', async () => {
	const {known, forget} = await bench();
	const before = known();
	expect(before).toMatchObject({name: 'login', pinned: true, activity: {}, seenId: expect.any(String)});
	const undo = forget();
	expect(known()).toBeUndefined();
	undo();
	expect(known()).toEqual(before);
});

test('restoring a forgotten session keeps what was learned about it in the meantime', async () => {
	const {engine, known, forget, clock} = await bench();
	const before = known();
	const undo = forget();
	await clock.advance(1000);
	engine.sessions.remember({sessionId: 's', status: 'running', title: 'New'}, 'added', 'updated');
	undo();
	expect(known()).toMatchObject({
		name: 'login',
		origin: 'created',
		addedAt: before?.addedAt,
		session: {title: 'New'},
		status: {value: 'running'},
	});
});
