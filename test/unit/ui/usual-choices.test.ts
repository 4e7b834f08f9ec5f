import {expect, test} from 'vitest';
import type {KnownSession} from '../../../src/domain/known.ts';
import {usualAgent, usualComputer} from '../../../src/ui/dialogs/new-session/new-session-state.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {fleet, knownComputer, knownSession} from '../../support/fleet.ts';

class CountedSessions extends Map<string, KnownSession> {
	scans = 0;

	override values() {
		this.scans++;
		return super.values();
	}
}

const session = (id: string, computerId: string, addedAt: number, agent: string): [string, KnownSession] => [
	id,
	knownSession(id, {computerId, addedAt, session: {sessionId: id, agent}}),
];

test('finds the usual computer and agent once for each state of the sessions, not for each frame', () => {
	const clock = fakeClock();
	const parts = appParts(clock);
	const hosted = {...parts, profile: {...parts.profile, host: 'acme.example'}};
	const known = fleet([], [knownComputer('a'), knownComputer('b')]);
	const older = [session('s1', 'a', 1, 'droid'), session('s2', 'b', 2, 'claude')];
	const sessions = new CountedSessions([session('s3', 'gone', 3, 'codex'), ...older]);
	parts.stores.fleet.setState({...known, sessions});
	for (let frame = 0; frame < 3; frame++) {
		expect(usualComputer(hosted)).toBe('b');
		expect(usualAgent(hosted, 'a')).toEqual({name: 'droid', isGuess: true});
	}
	expect(sessions.scans).toBe(1);
	parts.stores.fleet.setState({sessions: new Map([...sessions, session('s4', 'a', 4, 'shell')])});
	expect(usualComputer(hosted)).toBe('a');
	expect(usualAgent(hosted, 'a')).toEqual({name: 'shell', isGuess: true});
});
