import {expect, test} from 'vitest';
import type {KnownSession, Origin} from '../../../../src/domain/known.ts';
import {createFleetStore, type FleetStore} from '../../../../src/state/fleet.ts';
import {FollowedSessions} from '../../../../src/sync/messages/followed-sessions.ts';

function setup() {
	const fleet = createFleetStore();
	const open = new Set<string>();
	const followedSessions = new FollowedSessions(fleet, id => {
		open.add(id);
		return () => open.delete(id);
	});
	return {fleet, open, followedSessions};
}

function setStatus(fleet: FleetStore, id: string, value: string, origin: Origin = 'created'): void {
	const known: KnownSession = {id, origin, addedAt: 0, status: {value, source: 'posted', at: 0}};
	fleet.setState(({sessions}) => ({sessions: new Map(sessions).set(id, known)}));
}

test('a session at work is followed until it is not', () => {
	const {fleet, open, followedSessions} = setup();
	setStatus(fleet, 'before', 'running');
	followedSessions.start();
	setStatus(fleet, 'after', 'pending');
	expect([...open]).toEqual(['before', 'after']);
	setStatus(fleet, 'before', 'idle');
	expect([...open]).toEqual(['after']);
	fleet.setState({sessions: new Map()});
	expect([...open]).toEqual([]);
});

test('what only hooks know is not asked about, twenty are the most, and stopping lets all go', () => {
	const {fleet, open, followedSessions} = setup();
	followedSessions.start();
	setStatus(fleet, 'local', 'running', 'hook');
	expect(open.size).toBe(0);
	for (let i = 0; i < 30; i++) setStatus(fleet, `s${i}`, 'running');
	expect(open.size).toBe(20);
	setStatus(fleet, 's0', 'idle');
	expect(open.size).toBe(20);
	expect(open.has('s20')).toBe(true);
	followedSessions.stop();
	expect(open.size).toBe(0);
	setStatus(fleet, 'late', 'running');
	expect(open.size).toBe(0);
});
