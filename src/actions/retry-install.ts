import type {Computer} from '../domain/computer.ts';
import {retryInstall as judge} from '../domain/provisioning.ts';
import type {ActionContext} from './context.ts';
import {notify, notifyFailure} from './notify.ts';
import {done, type Result} from './result.ts';

/** Retries a computer's dependency install. */
export async function retryInstall(context: ActionContext, computerId: string): Promise<Result<Computer>> {
	const known = context.stores.fleet.getState().computers.get(computerId);
	const judged = judge(known?.computer);
	if (!judged.isPossible) {
		notify(context, 'info', judged.why);
		return {isDone: false, what: judged.why};
	}
	try {
		const computer = await context.service.computers.installDeps(computerId);
		context.engine.rememberComputer(computer, known?.origin ?? 'added');
		context.engine.refresh(computerId);
		notify(context, 'good', 'Installing dependencies again');
		return done(computer);
	} catch (error) {
		return notifyFailure(context, error, `It may be running anyway: ${context.keyName('refresh')} checks.`);
	}
}
