import {expect, test} from 'vitest';
import type {KnownSession} from '../../../../src/domain/known.ts';
import type {Signal} from '../../../../src/domain/sessions/signal.ts';
import {createFleetStore} from '../../../../src/state/fleet.ts';
import {StatusExpiry} from '../../../../src/sync/fleet/status-expiry.ts';
import {fakeClock} from '../../../support/fake-clock.ts';

const minute = 60_000;

test('a busy status and a waiting signal expire when they are no longer believed, each in its time', async () => {
	const clock = fakeClock();
	const fleet = createFleetStore();
	const at = clock.now();
	const session: KnownSession = {
		id: 's',
		origin: 'created',
		addedAt: at,
		status: {value: 'running', source: 'posted', at},
	};
	const signal: Signal = {
		client: 'claude',
		sessionId: 't',
		state: 'needs-permission',
		since: at,
		lastEventAt: at,
		lastEvent: 'Notification',
		background: 0,
	};
	fleet.setState({sessions: new Map([['s', session]]), signals: new Map([['claude:t', signal]])});
	const statusExpiry = new StatusExpiry(fleet, clock);
	statusExpiry.start();

	await clock.advance(9 * minute);
	expect(fleet.getState().sessions.get('s')).toBe(session);
	await clock.advance(2 * minute);
	expect(fleet.getState().sessions.get('s')?.status).toEqual({value: 'unknown', source: 'posted', at});
	expect(fleet.getState().signals.get('claude:t')).toBe(signal);
	await clock.advance(4 * 60 * minute);
	expect(fleet.getState().signals.get('claude:t')?.state).toBe('unknown');
	expect(clock.pending).toBe(0);
	statusExpiry.stop();
});

test('what is told anew is believed from then on, and stopping leaves no timer', async () => {
	const clock = fakeClock();
	const fleet = createFleetStore();
	const statusExpiry = new StatusExpiry(fleet, clock);
	statusExpiry.start();
	expect(clock.pending).toBe(0);
	const reported = (): KnownSession => ({
		id: 's',
		origin: 'created',
		addedAt: 0,
		status: {value: 'running', source: 'hook', at: clock.now()},
	});
	fleet.setState({sessions: new Map([['s', reported()]])});
	await clock.advance(8 * minute);
	fleet.setState({sessions: new Map([['s', reported()]])});
	await clock.advance(8 * minute);
	expect(fleet.getState().sessions.get('s')?.status?.value).toBe('running');
	statusExpiry.stop();
	expect(clock.pending).toBe(0);
});
