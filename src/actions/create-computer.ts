import type {Computer, ComputerDraft} from '../domain/computer.ts';
import type {ActionContext} from './context.ts';
import {done, type Result} from './result.ts';
import {tell, tellFailure} from './tell.ts';

const mayExist = 'It may exist all the same: look in the web app before you create it again.';

/** Creates a computer and keeps it in the registry; the engine then watches its provisioning. */
export async function createComputer(
	context: ActionContext,
	draft: ComputerDraft,
): Promise<Result<Computer>> {
	try {
		const computer = await context.service.computers.create(draft);
		context.engine.rememberComputer(computer, 'created');
		tell(context, 'good', `${computer.name ?? draft.name} is being provisioned`);
		return done(computer);
	} catch (error) {
		return tellFailure(context, error, mayExist);
	}
}
