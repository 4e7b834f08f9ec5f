import {afterEach, beforeEach, expect, test} from 'vitest';
import {sendMessage} from '../../../src/actions/messages.ts';
import {appParts} from '../../support/app-parts.ts';
import {type EngineBench, engineBench} from '../../support/engine-bench.ts';

let bench: EngineBench;

beforeEach(() => {
	bench = engineBench();
});
afterEach(() => bench.end());

function send(sessionId: string, text: string) {
	const {engine, stores, clock} = bench;
	const context = {...appParts(clock).actions, engine, stores};
	return sendMessage(context, sessionId, {text, images: [], files: []});
}

test('a message names its session, which it adds if nothing else has told of it', () => {
	expect(send('new', 'Fix the login\nand test it')).toMatchObject({state: 'queued'});
	expect(bench.engine.registry.session('new')).toMatchObject({origin: 'added', subject: 'Fix the login'});
	send('new', 'And the logout');
	expect(bench.engine.registry.session('new')?.subject).toBe('Fix the login');
});

test('a message says which computer its session is on, unless the service does', () => {
	const {registry} = bench.engine;
	registry.addSession('here', 'added', {computerId: 'c'});
	expect(send('here', 'Go on')?.computerId).toBe('c');
	registry.recordSession({sessionId: 'here', computerId: 'c'}, 'added');
	expect(send('here', 'Go on')?.computerId).toBeUndefined();
});
