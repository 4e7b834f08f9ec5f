import {expect, test} from 'vitest';
import {eventually} from '../../support/eventually.ts';
import {startTestService, temporaryFolder} from '../../support/local-service.ts';
import {type Answer, machineStandIn, storeMachine} from '../../support/machine-stand-in.ts';
import {createReadyComputer} from '../../support/sessions.ts';

/** A machine whose changes are these, one answer after the other. */
function changing(...answers: readonly object[]): Answer {
	const waiting = [...answers];
	return ({url}) => (url.pathname.endsWith('/changes') ? waiting.shift() : {});
}

test('a machine adds and changes its own sessions, and nobody else’s', async () => {
	const folder = temporaryFolder();
	let ownId = '';
	const said = (sessionId: string, title: string) => ({sessionId, computerId: 'there', title});
	const claims: Answer = ({url}) => {
		if (!url.pathname.endsWith('/changes')) return {};
		if (url.searchParams.get('after') === '2' || ownId === '') return undefined;
		return {
			cursor: 2,
			addedIds: ['theirs', 'first', ownId],
			computerIds: [],
			sessions: [said('theirs', 'stolen'), said('first', 'stolen'), said(ownId, 'stolen')],
		};
	};
	const first = await machineStandIn(
		changing({cursor: 1, addedIds: ['first'], computerIds: [], sessions: [said('first', 'one')]}),
	);
	const firstId = storeMachine(folder, first.command);
	const second = await machineStandIn(claims);
	const secondId = storeMachine(folder, second.command, 'second');
	const {service} = await startTestService({folder});
	const told = async () =>
		new Map((await service.runningService.changes(0)).sessions.map(one => [one.sessionId, one]));
	await eventually(async () =>
		expect((await told()).get('first')).toMatchObject({computerId: firstId, title: 'one'}),
	);
	const computerId = await createReadyComputer(service);
	const own = await service.sessions.create({computerId, title: 'own'});
	ownId = own.sessionId;
	second.cut();
	await eventually(async () =>
		expect((await told()).get('theirs')).toMatchObject({computerId: secondId, title: 'stolen'}),
	);
	const after = await told();
	expect(after.get('first')).toMatchObject({computerId: firstId, title: 'one'});
	expect(after.get(ownId)).toMatchObject({computerId, title: 'own'});
});

test('the changes of a machine are followed on when one request for them breaks off', async () => {
	const folder = temporaryFolder();
	let isBroken = true;
	const machine = await machineStandIn(({url}) => {
		if (!url.pathname.endsWith('/changes')) return {};
		if (isBroken) {
			isBroken = false;
			return null;
		}
		const isTold = url.searchParams.get('after') === '1';
		return isTold ? undefined : {cursor: 1, addedIds: ['s'], computerIds: [], sessions: [{sessionId: 's'}]};
	});
	storeMachine(folder, machine.command);
	const {service} = await startTestService({folder});
	await eventually(async () => expect((await service.runningService.changes(0)).addedIds).toContain('s'));
});
