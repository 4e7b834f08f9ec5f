import type {Computer, ComputerPatch} from '../domain/computer.ts';
import type {ActionContext} from './context.ts';
import {notify, notifyFailure} from './notify.ts';
import {done, type Result} from './result.ts';

/** Changes name, host or user of a computer. The same values may be sent again after a failure. */
export async function updateComputer(
	context: ActionContext,
	computerId: string,
	patch: ComputerPatch,
): Promise<Result<Computer>> {
	try {
		const computer = await context.service.computers.update(computerId, patch);
		const origin = context.stores.fleet.getState().computers.get(computerId)?.origin ?? 'added';
		context.engine.rememberComputer(computer, origin);
		notify(context, 'good', `${computer.name ?? computerId} updated`);
		return done(computer);
	} catch (error) {
		return notifyFailure(context, error);
	}
}
