import {expect, test} from 'vitest';
import {nameSession, updateSession} from '../../../src/actions/sessions.ts';
import {archiveSessions, restoreSessions} from '../../../src/actions/several-sessions.ts';
import {RejectedError} from '../../../src/api/errors.ts';
import type {Service} from '../../../src/api/service.ts';
import type {SessionSettings} from '../../../src/domain/sessions/session.ts';
import type {SessionItem} from '../../../src/state/sessions/session-items.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {fleet, knownSession} from '../../support/fleet.ts';

const item = (id: string) => ({id, name: id}) as SessionItem;

type Update = Service['sessions']['update'];

function setup(sessionSettings: SessionSettings, update: Update) {
	const service = {sessions: {update}} as unknown as Service;
	const parts = appParts(fakeClock(), {service});
	parts.stores.fleet.setState(fleet([knownSession('s', {session: {sessionId: 's', sessionSettings}})]));
	const notices = () => parts.stores.notices.getState().list.map(notice => `${notice.tone}: ${notice.text}`);
	return {...parts, notices};
}

test('sends only the settings that change, and reports those that the service dropped', async () => {
	const sent: unknown[] = [];
	const {actions, notices} = setup({model: 'm1', tags: [{name: 'a'}]}, async (id, patch) => {
		sent.push([id, patch]);
		return {sessionId: id, sessionSettings: {...patch.sessionSettings}};
	});
	await updateSession(actions, 's', {model: 'm2'});
	expect(sent).toEqual([['s', {sessionSettings: {model: 'm2'}}]]);
	expect(notices()).toEqual(['bad: Session updated, but the service dropped its tags']);
});

test('a refused change says why and changes nothing locally', async () => {
	const refused = new RejectedError('No such model.', {hint: 'Choose another.', status: 400});
	const {actions, calls, notices} = setup({}, () => Promise.reject(refused));
	expect(await updateSession(actions, 's', {model: 'x'})).toMatchObject({isDone: false});
	expect(await archiveSessions(actions, [item('s')])).toMatchObject({done: [], failed: [{id: 's'}]});
	expect(calls).toEqual([]);
	expect(notices()[0]).toBe('bad: No such model. Choose another.');
});

test('archiving sends only the time, and keeps it even if the response leaves it out', async () => {
	const sent: unknown[] = [];
	const {actions, calls, clock} = {
		clock: fakeClock(),
		...setup({}, async (id, patch) => {
			sent.push(patch);
			return {sessionId: id};
		}),
	};
	expect((await archiveSessions(actions, [item('s')])).done).toEqual(['s']);
	const archivedAt = new Date(clock.now()).toISOString();
	expect(sent).toEqual([{sessionSettings: {archivedAt}}]);
	expect(calls[0]).toContain(`"archivedAt":"${archivedAt}"`);
});

test('a known session keeps its id if the service returns another; an unknown one takes the returned id', async () => {
	const {actions, calls} = setup({}, async id => ({sessionId: id.toUpperCase()}));
	await archiveSessions(actions, [item('s')]);
	expect(calls[0]).toMatch(/^rememberSession .*"sessionId":"s"/);
	await archiveSessions(actions, [item('new')]);
	expect(calls.find(call => call.includes('NEW'))).toMatch(/^rememberSession /);
});

test('restores an archived session locally, without sending anything', async () => {
	const {actions, calls, notices} = setup({archivedAt: '2026-11-01T00:00:00Z'}, () =>
		expect.fail('nothing is to be sent'),
	);
	expect(await restoreSessions(actions, ['s'])).toBe(true);
	expect(calls).toEqual(['markSession s {"restored":"2026-11-01T00:00:00Z"}', 'refresh s']);
	expect(notices()[0]).toMatch(/^good: 1 session listed again here /);
});

test('the embedded service takes back that a session was archived', async () => {
	const sent: unknown[] = [];
	const {actions, calls, notices} = setup({archivedAt: '2026-11-01T00:00:00Z'}, async (id, patch) => {
		sent.push(patch);
		return {sessionId: id};
	});
	Object.assign(actions.engine, {isEmbedded: true});
	await restoreSessions(actions, ['s']);
	expect(sent).toEqual([{sessionSettings: {archivedAt: ''}}]);
	expect(calls[0]).toContain('"archivedAt":""');
	expect(notices()[0]).toBe('good: 1 session listed again; X archives it again');
	await archiveSessions(actions, [item('s')]);
	expect(notices().at(-1)).toBe('good: Archived 1 session; u undoes this');
});

test('keeps a name locally; an empty one brings the title back', () => {
	const {actions, calls} = setup({}, () => expect.fail('nothing is to be sent'));
	nameSession(actions, 's', ' mine ');
	nameSession(actions, 's', ' ');
	expect(calls).toEqual(['markSession s {"name":"mine"}', 'markSession s {"name":""}']);
});

test('a new name can be undone, and the notice says so', () => {
	const {actions, calls, stores} = appParts(fakeClock());
	stores.fleet.setState(fleet([knownSession('s', {name: 'mine'})]));
	const undo = nameSession(actions, 's', 'other');
	undo();
	expect(calls).toEqual(['markSession s {"name":"other"}', 'markSession s {"name":"mine"}']);
	expect(stores.notices.getState().list[0]?.text).toBe('Renamed on this machine; u undoes this');
});

test('clears a name that equals the title', () => {
	const {actions, calls} = appParts(fakeClock());
	actions.stores.fleet.setState(
		fleet([knownSession('s', {session: {sessionId: 's', title: 'Fix the login'}, name: 'mine'})]),
	);
	nameSession(actions, 's', 'Fix the login');
	expect(calls).toEqual(['markSession s {"name":""}']);
});
