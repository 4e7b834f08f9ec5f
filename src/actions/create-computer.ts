import type {Computer, ComputerDraft} from '../domain/computer.ts';
import type {ActionContext} from './context.ts';
import {notify, notifyFailure} from './notify.ts';
import {done, type Result} from './result.ts';

const mayExist = 'It may exist anyway: check the web app before you create it again.';

/** Creates a computer and adds it to the registry; the engine then watches its provisioning. */
export async function createComputer(
	context: ActionContext,
	draft: ComputerDraft,
): Promise<Result<Computer>> {
	try {
		const computer = await context.service.computers.create(draft);
		context.engine.rememberComputer(computer, 'created');
		notify(context, 'good', `${computer.name ?? draft.name} is being provisioned`);
		return done(computer);
	} catch (error) {
		return notifyFailure(context, error, mayExist);
	}
}
