import {join} from 'node:path';
import {expect, test} from 'vitest';
import {ComputerUnreachableError} from '../../../src/api/errors.ts';
import type {Service} from '../../../src/api/service.ts';
import {eventually} from '../../support/eventually.ts';
import {startTestService} from '../../support/local-service.ts';
import {createSession, whenSettled} from '../../support/sessions.ts';

const script = join(import.meta.dirname, '../../support/hostile-machine.ts');

async function machine(service: Service, ...args: string[]) {
	const {id} = await service.computers.create({
		name: 'devbox',
		remoteUser: 'me',
		host: {command: [process.execPath, script, ...args]},
	});
	return whenSettled(service, id);
}

const failedStep = ({provisioningSteps = []}: Awaited<ReturnType<typeof machine>>) => {
	const {name, error} = provisioningSteps.find(({status}) => status === 'failed') ?? {};
	return [name, error];
};

test('what answers without being Quarterdeck fails the step', async () => {
	const {service} = await startTestService();
	const noise = await machine(service, 'noise');
	expect(failedStep(noise)).toEqual(['connect', expect.stringContaining("isn't Quarterdeck")]);
	// Nothing of this machine is said of the other.
	expect(noise).toMatchObject({hostname: '', remoteUser: ''});
	const silent = await machine(service, 'silent');
	expect(failedStep(silent)).toEqual(['start its service', expect.stringContaining("isn't Quarterdeck")]);
});

test('a machine that describes its computer in other types is a computer of which nothing is known', async () => {
	const {service} = await startTestService();
	const {id} = await machine(service, 'types');
	const {status, folder, provisioningSteps} = await service.computers.get(id);
	expect({status, folder, steps: provisioningSteps?.length}).toEqual({
		status: undefined,
		folder: undefined,
		steps: 4,
	});
});

test('a machine answers for no session but its own', async () => {
	const {service} = await startTestService();
	const ours = await createSession(service);
	const first = await machine(service, 'ids');
	expect(first.status).toBe('active');
	const titleOf = async (id: string) => (await service.sessions.update(id, {})).title;
	const ownerOf = async (id: string) =>
		(await service.runningService.changes(0)).sessions.find(({sessionId}) => sessionId === id)?.computerId;
	await eventually(async () => expect(await ownerOf('mine')).toBe(first.id));

	const second = await machine(service, 'ids', ours, 'mine');
	await expect(service.sessions.create({computerId: second.id})).rejects.toThrow("isn't its own");
	await expect(service.sessions.update('mine', {}, {timeout: 900})).rejects.toThrow(
		'answered for another session',
	);
	expect(await titleOf(ours)).toBeUndefined();
	expect([await ownerOf('mine'), await ownerOf(ours)]).toEqual([
		first.id,
		expect.not.stringContaining(second.id),
	]);
});

test('an endless answer, and one that is cut off, fail that request alone', async () => {
	const {service} = await startTestService();
	const ours = await createSession(service);
	for (const behavior of ['flood', 'goaway']) {
		const {id} = await machine(service, behavior);
		const {sessionId} = await service.sessions.create({computerId: id});
		const reading = service.messages.list(sessionId, {});
		await expect(reading).rejects.toBeInstanceOf(ComputerUnreachableError);
		// Not sent if the connection is lost by then, else cut off.
		await expect(service.messages.add(sessionId, {text: 'x'})).rejects.toThrow('devbox');
		await service.computers.forget(id, false);
		expect((await service.messages.list(ours, {})).items).toEqual([]);
	}
});
