import type {Computer, ComputerPatch} from '../domain/computer.ts';
import type {ActionContext} from './context.ts';
import {done, type Result} from './result.ts';
import {tell, tellFailure} from './tell.ts';

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
		tell(context, 'good', `${computer.name ?? computerId} is changed`);
		return done(computer);
	} catch (error) {
		return tellFailure(context, error);
	}
}
