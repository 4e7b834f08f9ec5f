import {NotFoundError} from '../api/errors.ts';
import type {Computer, ComputerDraft, ComputerPatch} from '../domain/computers/computer.ts';
import {retryInstall as judge} from '../domain/computers/provisioning.ts';
import type {ActionContext} from './context.ts';
import {lookUp, removeComputer, requestComputer} from './fleet.ts';
import {done, notify, notifyFailure, type Result} from './notify.ts';

/** Creates a computer and adds it to the registry; the engine then watches its provisioning. */
export async function createComputer(
	context: ActionContext,
	draft: ComputerDraft,
): Promise<Result<Computer>> {
	try {
		const computer = await requestComputer(context, computers => computers.create(draft));
		notify(context, 'good', `${computer.name ?? draft.name} is being provisioned`);
		return done(computer);
	} catch (error) {
		return notifyFailure(
			context,
			error,
			'The computer may exist anyway: check the web app before you create it again.',
		);
	}
}

/** Changes a computer's name, host or user. Safe to repeat with the same values after a failure. */
export async function updateComputer(
	context: ActionContext,
	computerId: string,
	patch: ComputerPatch,
): Promise<Result<Computer>> {
	try {
		const computer = await requestComputer(
			context,
			computers => computers.update(computerId, patch),
			computerId,
		);
		notify(context, 'good', `${computer.name ?? computerId} updated`);
		return done(computer);
	} catch (error) {
		return notifyFailure(context, error);
	}
}

export async function retryInstall(context: ActionContext, computerId: string): Promise<Result<Computer>> {
	const judged = judge(context.stores.fleet.getState().computers.get(computerId)?.computer);
	if (!judged.isPossible) {
		notify(context, 'info', judged.why);
		return {isDone: false, what: judged.why};
	}
	try {
		const computer = await requestComputer(
			context,
			computers => computers.installDeps(computerId),
			computerId,
		);
		context.engine.refresh(computerId);
		notify(context, 'good', 'Installing dependencies again');
		return done(computer);
	} catch (error) {
		return notifyFailure(
			context,
			error,
			`It may be running anyway; press ${context.keyName('refresh')} to check.`,
		);
	}
}

/**
 * Adds an existing computer to the registry by its id; the engine then reads it. An id that the service doesn't have
 * isn't added; one that it can't be asked about now is.
 */
export async function addComputer(context: ActionContext, input: string): Promise<Result<string>> {
	const id = input.trim();
	if (id === '') return {isDone: false, what: 'The ID of the computer is missing.', field: 'id'};
	let read: Computer | undefined;
	const failure = await lookUp(async options => {
		read = await context.service.computers.get(id, options);
	});
	if (failure instanceof NotFoundError)
		return {
			isDone: false,
			what: "The service has no computer with this id: is it a session's? One that was just created may take a few seconds.",
			field: 'id',
		};
	context.engine.computers.add(id, 'added');
	if (read) context.engine.computers.remember({...read, id}, 'added');
	return done(id);
}

/** Removes a computer from the registry; the service keeps it. Returns an undo function. */
export function forgetComputer(context: ActionContext, computerId: string): () => void {
	const known = removeComputer(context, computerId);
	notify(
		context,
		'info',
		`Computer forgotten here, not at the service; ${context.keyName('undo')} undoes this`,
	);
	return () => {
		if (known) context.engine.computers.restore(known);
	};
}
