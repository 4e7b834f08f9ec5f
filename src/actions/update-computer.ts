import type {Computer, ComputerPatch} from '../domain/computer.ts';
import type {ActionContext} from './context.ts';
import {notify, notifyFailure} from './notify.ts';
import {done, type Result} from './result.ts';

/** Changes a computer's name, host or user. Safe to repeat with the same values after a failure. */
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
