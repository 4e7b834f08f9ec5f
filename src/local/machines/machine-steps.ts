import {agentRoot} from '../../domain/sessions/agent-request.ts';
import {Refusal} from '../http/refusal.ts';
import {StepFailed} from '../provisioning/provisioning.ts';
import type {StepRun} from '../provisioning/step-work.ts';
import {MachineError} from './machine-program.ts';
import {isMachine, type MachineComputer, type Machines} from './machines.ts';

/** Does one step of setting up another machine. Throws `StepFailed` with ssh's own words, or the machine's. */
export async function doMachineStep(
	{context, computer, step, steps}: StepRun,
	machines: Machines,
): Promise<void> {
	if (!isMachine(computer)) return;
	const {computers} = context.storage;
	const machine = await machines.open(computer);
	try {
		switch (step.kind) {
			case 'connect': {
				const {user, hostname} = await machine.check();
				computers.update(computer.id, {remoteUser: user, hostname});
				return;
			}
			case 'check-machine': {
				// Says what will be copied before it is.
				const {title} = await machine.plan();
				const next = steps.find(({kind}) => kind === 'copy-program');
				if (next) computers.setStep(next.id, {status: 'pending', name: title});
				return;
			}
			case 'copy-program':
				return await machine.copy();
			case 'start-service':
				await machine.link.connect();
				machines.save(computer, await readComputer(computer, machines));
		}
	} catch (error) {
		if (error instanceof MachineError || error instanceof Refusal) throw new StepFailed(error.message);
		throw error;
	}
}

/** The computer on the machine: one with the repositories, or that of the machine itself. */
async function readComputer(computer: MachineComputer, machines: Machines): Promise<unknown> {
	const {repos, installsDeps, computer: known} = computer.machine;
	const path = '/api/v0/computers';
	if (repos.length > 0 && !known) {
		const {name, remoteUser} = computer;
		const body = {name, remoteUser, repos, autoInstallDeps: installsDeps};
		return machines.request(computer, {method: 'POST', path, body});
	}
	const service = await machines.request(computer, {method: 'GET', path: `${agentRoot}/service`});
	const {computerIds: [first] = []} = service as {readonly computerIds?: readonly string[]};
	const id = encodeURIComponent(known?.id ?? first ?? '');
	return machines.request(computer, {method: 'GET', path: `${path}/${id}`});
}
