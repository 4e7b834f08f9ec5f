import {EventEmitter, once} from 'node:events';
import {expect, test} from 'vitest';
import type {LocalContext} from '../../../../src/local/context.ts';
import {serviceRoutes} from '../../../../src/local/resources/service.ts';
import {hookEvent} from '../../../support/hook-event.ts';

test('whoever waits for changes and hook events is told of what comes first', async () => {
	const comes = new EventEmitter();
	const wait = (name: string, signal: AbortSignal) =>
		once(comes, name, {signal}).then(
			() => true,
			() => false,
		);
	let changes: {seq: number; kind: string; id: string}[] = [];
	const context = {
		closing: new AbortController().signal,
		storage: {
			changes: {
				last: () => 5,
				after: () => changes,
				next: async (signal: AbortSignal) => {
					if (await wait('change', signal)) changes = [{seq: 6, kind: 'added', id: 's'}];
				},
			},
			sessions: {get: () => undefined},
			machineSessions: {get: () => undefined},
		},
		hookEvents: {
			after: async (position: number, signal: AbortSignal) => {
				if (position === 9) throw new Error('the database is damaged');
				const isStored = await wait('event', signal);
				const own = {...hookEvent({id: 'own'}), receivedAt: Date.now()};
				return isStored
					? {events: [own, {...own, computer: {id: 'c', name: 'c', ts: 1}}], position: 8}
					: {events: [], position};
			},
		},
	};
	const route = serviceRoutes(context as unknown as LocalContext).find(({path}) => path.endsWith('/changes'));
	const ask = (query: string) =>
		route?.handle({
			params: {},
			body: undefined,
			idempotencyKey: undefined,
			query: new URLSearchParams(query),
		});

	const first = ask('after=5&hooksAfter=7&wait=600');
	comes.emit('event');
	expect(await first).toMatchObject({cursor: 5, addedIds: [], hooks: {position: 8, events: [{id: 'own'}]}});

	const second = ask('after=5&hooksAfter=7&wait=600');
	await new Promise(setImmediate);
	comes.emit('change');
	expect(await second).toMatchObject({cursor: 6, addedIds: ['s'], hooks: {position: 7, events: []}});

	expect(await ask('after=5&hooksAfter=9&wait=600')).toMatchObject({hooks: undefined});
});
