import {z} from 'zod';
import {agentRoot} from '../../domain/sessions/agent-request.ts';
import type {LocalContext} from '../context.ts';
import {parseBody} from '../http/fields.ts';
import {notFound} from '../http/refusal.ts';
import {post, type Route} from '../http/router.ts';
import {isMachine, type MachineComputer} from '../machines/machines.ts';
import {showComputer} from './computers.ts';

const forgetBody = z.strictObject({removes: z.boolean()});

/** Serves what can be done with computers that are other machines. */
export function machineRoutes(context: LocalContext): Route[] {
	const {storage, machines, provisioner} = context;
	const find = (id = ''): MachineComputer => {
		const computer = storage.computers.get(id);
		if (!computer || !isMachine(computer)) throw notFound('machine with the computer', id);
		return computer;
	};
	const path = `${agentRoot}/computers/:computerId`;
	return [
		post(`${path}/connect`, 202, ({params}) => {
			const computer = find(params.computerId);
			const steps = storage.computers.steps(computer.id);
			const failed = steps.findIndex(({status}) => status === 'failed');
			if (failed >= 0) {
				storage.transaction(() => {
					for (const {id} of steps.slice(failed)) storage.computers.setStep(id, {status: 'pending'});
					storage.computers.update(computer.id, {status: 'provisioning'});
				});
				provisioner.start(computer.id);
			} else void machines.retry(computer);
			return showComputer(context, computer.id);
		}),
		post(`${path}/forget`, 200, async ({params, body}) => {
			const {removes} = parseBody(forgetBody, body);
			const computer = find(params.computerId);
			if (removes) await machines.remove(computer);
			machines.forget(computer);
			return {};
		}),
	];
}
