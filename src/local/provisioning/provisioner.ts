import type {ComputerStatus} from '../../domain/computers/computer.ts';
import {createBackgroundWork} from '../background-work.ts';
import type {BackgroundContext} from '../context.ts';
import type {Machines} from '../machines/machines.ts';
import type {StoredComputer, StoredStep} from '../storage/computers.ts';
import type {Turns} from '../turns/turns.ts';
import {createInstallSession} from './install-dependencies.ts';
import {StepFailed} from './provisioning.ts';
import type {StepRun} from './step-work.ts';

export type Provisioner = ReturnType<typeof createProvisioner>;

export function createProvisioner(context: BackgroundContext, machines: Machines, turns: Turns) {
	const {storage, save, closing} = context;
	const work = createBackgroundWork();
	const running = new Set<string>();

	/** Runs the unfinished steps in order. The first begins at once, if the disk allows. */
	const run = async (computerId: string) => {
		for (;;) {
			if (closing.aborted) return;
			const step = await save(() => beginStep(context, machines, computerId));
			if (!step) break;
			await finishStep(step);
		}
		await save(() =>
			storage.computers.update(computerId, {status: statusAfter(storage.computers.steps(computerId))}),
		);
		// Messages may have been waiting for the computer, or behind the install in its session.
		for (const sessionId of await save(() => storage.sessions.waitingOn(computerId))) turns.wake(sessionId);
	};
	const start = (computerId: string) => {
		if (running.has(computerId)) return;
		running.add(computerId);
		work.add(run(computerId).finally(() => running.delete(computerId)));
	};

	return {
		start,
		get isAtWork() {
			return running.size > 0;
		},
		/** Resumes a computer that an earlier service left unfinished. */
		resume({id, status}: StoredComputer): void {
			if (status !== 'provisioning' && !storage.computers.steps(id).some(isUnfinished)) return;
			start(id);
		},
		/** Resolves when no step is running. Steps that `closing` interrupted are pending again. */
		settled: work.settled,
	};
}

export function isUnfinished({status}: StoredStep): boolean {
	return status === 'pending' || status === 'in_progress';
}

function statusAfter(steps: readonly StoredStep[]): ComputerStatus {
	return steps.every(({kind, status}) => kind === 'install' || status === 'completed') ? 'active' : 'error';
}

type BegunStep = StepRun & {readonly startedAt: number};

/** Begins the next step; undefined if all have ended. */
function beginStep(
	context: BackgroundContext,
	machines: Machines,
	computerId: string,
): BegunStep | undefined {
	const {storage} = context;
	return storage.transaction(() => {
		const computer = storage.computers.get(computerId);
		const steps = storage.computers.steps(computerId);
		const step = steps.find(isUnfinished);
		if (!computer || !step) return undefined;
		const installSessionId =
			step.kind === 'install'
				? (step.installSessionId ?? createInstallSession(context, computer))
				: undefined;
		const startedAt = Date.now();
		storage.computers.setStep(step.id, {status: 'in_progress', startedAt, installSessionId});
		return {context, machines, computer, step: {...step, installSessionId}, steps, startedAt};
	});
}

/** Does a step that has begun, and saves how it ended. */
async function finishStep(run: BegunStep): Promise<void> {
	const {context, step, startedAt} = run;
	const {storage, save, closing} = context;
	let failure: unknown;
	try {
		await context.doStep(run);
	} catch (error) {
		failure = error;
	}
	const completedAt = Date.now();
	await save(() => {
		// Interrupted: the step starts over at the next start.
		if (closing.aborted) storage.computers.setStep(step.id, {status: 'pending'});
		else if (failure === undefined)
			storage.computers.setStep(step.id, {status: 'completed', startedAt, completedAt});
		else recordFailure(run, failure, completedAt);
	});
}

/** A computer is usable after a failed install; after any other failure, later steps are pointless. */
function recordFailure(
	{context: {storage}, computer, step, startedAt}: BegunStep,
	failure: unknown,
	completedAt: number,
): void {
	const error = failure instanceof StepFailed ? failure.message : `${failure}`;
	storage.computers.setStep(step.id, {status: 'failed', error, startedAt, completedAt});
	if (step.kind === 'install') return;
	for (const later of storage.computers.steps(computer.id).filter(isUnfinished))
		storage.computers.setStep(later.id, {status: 'skipped'});
}
