import {createBackgroundWork} from './background-work.ts';
import type {BackgroundContext} from './context.ts';
import {createInstallSession} from './install-dependencies.ts';
import {StepFailed} from './provisioning.ts';
import {doStep} from './step-work.ts';
import type {StoredComputer, StoredStep} from './storage/computers.ts';
import type {Turns} from './turns.ts';

/** Runs the provisioning steps of computers. */
export type Provisioner = ReturnType<typeof createProvisioner>;

export function createProvisioner(context: BackgroundContext, turns: Turns) {
	const {storage, instance, closing} = context;
	const work = createBackgroundWork();

	/** Runs the unfinished steps in order, unless an instance is already running them. */
	const start = (computerId: string) => {
		if (closing.aborted || !storage.computers.claim(computerId, instance.id)) return;
		const run = async () => {
			await runSteps(context, computerId);
			storage.computers.release(computerId, instance.id);
			// Messages may have been waiting for the computer, or behind the install in its session.
			for (const sessionId of storage.sessions.waitingOn(computerId)) turns.wake(sessionId);
		};
		work.add(run());
	};

	return {
		start,
		/** Resumes a computer with unfinished steps whose instance is gone. */
		resume({id, runner}: StoredComputer): void {
			if (runner !== undefined && instance.isAlive(runner)) return;
			if (!storage.computers.steps(id).some(isUnfinished)) return;
			if (runner !== undefined) storage.computers.release(id, runner);
			start(id);
		},
		/** Resolves when no step is running. Steps that `closing` interrupted are pending again. */
		settled: work.settled,
	};
}

export function isUnfinished({status}: StoredStep): boolean {
	return status === 'pending' || status === 'in_progress';
}

async function runSteps(context: BackgroundContext, computerId: string): Promise<void> {
	const {storage, closing} = context;
	for (;;) {
		const step = storage.computers.steps(computerId).find(isUnfinished);
		if (!step) break;
		await runStep(context, computerId, step);
		if (closing.aborted) return;
	}
	const isUsable = storage.computers
		.steps(computerId)
		.every(({kind, status}) => kind === 'install' || status === 'completed');
	storage.computers.update(computerId, {status: isUsable ? 'active' : 'error'});
}

async function runStep(context: BackgroundContext, computerId: string, step: StoredStep): Promise<void> {
	const {storage, closing} = context;
	const computer = storage.computers.get(computerId);
	if (!computer) return;
	const startedAt = Date.now();
	const run = {context, computer, step, steps: storage.computers.steps(computerId)};
	const installSessionId =
		step.kind === 'install' ? (step.installSessionId ?? createInstallSession(run)) : undefined;
	storage.computers.setStep(step.id, {status: 'in_progress', startedAt, installSessionId});
	try {
		await doStep({...run, step: {...step, installSessionId}});
		if (!closing.aborted)
			storage.computers.setStep(step.id, {status: 'completed', startedAt, completedAt: Date.now()});
	} catch (error) {
		if (!closing.aborted) recordFailure(context, computerId, step, startedAt, error);
	}
	// Interrupted: the step starts over at the next start.
	if (closing.aborted) storage.computers.setStep(step.id, {status: 'pending'});
}

/** A computer is usable after a failed install; after any other failure, later steps are pointless. */
function recordFailure(
	{storage}: BackgroundContext,
	computerId: string,
	step: StoredStep,
	startedAt: number,
	error: unknown,
): void {
	const text = error instanceof StepFailed ? error.message : `${error}`;
	storage.computers.setStep(step.id, {status: 'failed', error: text, startedAt, completedAt: Date.now()});
	if (step.kind === 'install') return;
	for (const later of storage.computers.steps(computerId).filter(isUnfinished))
		storage.computers.setStep(later.id, {status: 'skipped'});
}
