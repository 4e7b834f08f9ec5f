import {expect, test} from 'vitest';
import type {KnownSession} from '../../../../src/domain/known.ts';
import type {Signal} from '../../../../src/domain/sessions/signal.ts';
import {createFleetStore} from '../../../../src/state/fleet.ts';
import {expireSignals} from '../../../../src/sync/fleet/signal-expiry.ts';
import {fakeClock} from '../../../support/fake-clock.ts';

const minute = 60_000;

function waiting(at: number): Signal {
	return {
		client: 'claude',
		sessionId: 't',
		state: 'needs-permission',
		since: at,
		lastEventAt: at,
		lastEvent: 'Notification',
		background: 0,
	};
}

test('a signal expires after four hours, while a busy status stays as it is', async () => {
	const clock = fakeClock();
	const fleet = createFleetStore();
	const at = clock.now();
	const session: KnownSession = {
		id: 's',
		origin: 'created',
		addedAt: at,
		status: {value: 'running', source: 'posted', at},
	};
	const signal = waiting(at);
	fleet.setState({sessions: new Map([['s', session]]), signals: new Map([['claude:t', signal]])});
	const stop = expireSignals(fleet, clock);
	await clock.advance(239 * minute);
	expect(fleet.getState().signals.get('claude:t')).toBe(signal);
	await clock.advance(2 * minute);
	expect(fleet.getState().signals.get('claude:t')?.state).toBe('unknown');
	expect(fleet.getState().sessions.get('s')).toBe(session);
	expect(clock.pending).toBe(0);
	stop();
});

test('a repeated signal counts from then on, and stopping leaves no timer', async () => {
	const clock = fakeClock();
	const fleet = createFleetStore();
	const stop = expireSignals(fleet, clock);
	expect(clock.pending).toBe(0);
	const tell = () => fleet.setState({signals: new Map([['claude:t', waiting(clock.now())]])});
	tell();
	await clock.advance(200 * minute);
	tell();
	await clock.advance(200 * minute);
	expect(fleet.getState().signals.get('claude:t')?.state).toBe('needs-permission');
	stop();
	expect(clock.pending).toBe(0);
});
