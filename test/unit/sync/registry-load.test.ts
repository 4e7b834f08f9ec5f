import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openDatabase} from '../../../src/db/open-database.ts';
import {createFleetStore} from '../../../src/state/fleet.ts';
import {createRegistry} from '../../../src/sync/registry.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {signal} from '../../support/fleet.ts';
import {temporaryFolder} from '../../support/local-service.ts';

test('what asked a day ago needs nobody on the first frame, what asked a minute ago does', () => {
	const clock = fakeClock();
	const database = openDatabase({file: join(temporaryFolder(), 'kept.db')});
	onTestFinished(() => database.close());
	const ago = (minutes: number) => ({
		since: clock.now() - minutes * 60_000,
		lastEventAt: clock.now() - minutes * 60_000,
	});
	database.events.putSignal(signal('old', 'needs-permission', ago(24 * 60)));
	database.events.putSignal(signal('new', 'needs-permission', ago(1)));
	const fleet = createFleetStore();
	createRegistry(database, fleet, write => write(), clock).load();
	const states = [...fleet.getState().signals.values()].map(({sessionId, state}) => [sessionId, state]);
	expect(states.toSorted()).toEqual([
		['new', 'needs-permission'],
		['old', 'unknown'],
	]);
});
