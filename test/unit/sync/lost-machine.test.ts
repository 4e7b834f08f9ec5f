import {expect, test} from 'vitest';
import {ComputerUnreachableError} from '../../../src/api/errors.ts';
import {stateGroupOf} from '../../../src/state/sessions/session-groups.ts';
import {sessionItems} from '../../../src/state/sessions/session-items.ts';
import {shownState} from '../../../src/state/sessions/session-look.ts';
import {isUnsure} from '../../../src/state/sessions/session-state.ts';
import {listsNow} from '../../../src/ui/use-lists.ts';
import {appParts} from '../../support/app-parts.ts';
import {engineBench} from '../../support/engine-bench.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {fleet, knownSession, noon} from '../../support/fleet.ts';

const computer = {id: 'c', name: 'devbox', status: 'active', host: {ssh: 'devbox'}};

test('a lost machine holds back its own sessions alone, and they go on by themselves', async () => {
	const bench = engineBench();
	const {clock, model} = bench;
	model.computers.set('c', computer);
	model.running.add('s');
	await bench.start();
	bench.engine.computers.add('c', 'added');
	bench.engine.sessions.remember(
		{sessionId: 's', computerId: 'c', status: 'running', updatedAt: 1},
		'added',
		'updated',
	);
	await clock.advance(1_000);
	const item = () => {
		const {stores} = bench;
		const [found] = sessionItems(stores.fleet.getState(), stores.outbox.getState());
		return found && {group: stateGroupOf(found), state: found.state, isUnsure: isUnsure(found, clock.now())};
	};
	expect(item()).toEqual({group: 'working', state: 'working', isUnsure: false});

	model.intercept = ({kind, id}) => {
		if (id === 's' && kind !== 'computer')
			throw new ComputerUnreachableError('devbox is unreachable.', {hint: ''});
	};
	model.computers.set('c', {...computer, status: 'error', unreachableSince: clock.now()});
	bench.engine.computers.refresh('c');
	await clock.advance(1_000);
	expect(item()).toEqual({group: 'unknown', state: 'working', isUnsure: true});
	model.clear();
	bench.engine.registry.addSession('other', 'added');
	await bench.engine.outbox.enqueue('s', {text: 'later'});
	await bench.engine.outbox.enqueue('other', {text: 'now'});
	await clock.advance(61_000);
	const outbox = (id: string) =>
		bench.stores.outbox
			.getState()
			.bySession.get(id)
			?.map(({state}) => state);
	expect([model.ids('s'), outbox('other')]).toEqual([[], ['seen']]);
	expect(model.requests.some(({kind, id}) => kind === 'list' && id === 's')).toBe(false);

	model.intercept = () => {};
	model.computers.set('c', computer);
	bench.engine.computers.refresh('c');
	// Less than until the next try.
	await clock.advance(1_000);
	expect(outbox('s')).toEqual(['seen']);
	expect(item()?.group).toBe('working');
	await bench.end();
});

test('while the service is out, its sessions are as uncertain as those of a lost machine', () => {
	const parts = appParts(fakeClock(noon));
	const status = {value: 'running', source: 'updated', at: noon} as const;
	parts.stores.fleet.setState(fleet([knownSession('s', {status})]));
	const [before] = listsNow(parts).all.sessions;
	parts.stores.connection.setState({outage: {what: 'It is down.', at: noon}});
	const [after] = listsNow(parts).all.sessions;
	expect([before, after].map(item => item && shownState(item, noon))).toEqual(['working', 'working?']);
});
