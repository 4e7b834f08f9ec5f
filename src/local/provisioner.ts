import {createBackgroundWork} from './background-work.ts';
import type {BackgroundContext} from './context.ts';
import {createInstallSession} from './install-dependencies.ts';
import {StepFailed} from './step-failed.ts';
import {doStep} from './step-work.ts';
import type {StoredComputer, StoredStep} from './storage/computers.ts';
import type {Turns} from './turns.ts';

/** Runs the provisioning steps of computers. */
export type Provisioner = {
	/** Runs the unfinished steps in order, unless an instance is already running them. */
	start(computerId: string): void;
	/** Resumes a computer with unfinished steps whose instance is gone. */
	resume(computer: StoredComputer): void;
	/** Resolves when no step is running. Steps that `closing` interrupted are pending again. */
	settled(): Promise<void>;
};

export function createProvisioner(backgroundContext: BackgroundContext, turns: Turns): Provisioner {
	const {storage, instance, closing} = backgroundContext;
	const work = createBackgroundWork();

	const start = (computerId: string) => {
		if (closing.aborted || !storage.computers.claim(computerId, instance.id)) return;
		const run = async () => {
			await runSteps(backgroundContext, computerId);
			storage.computers.release(computerId, instance.id);
			// Messages may have been waiting for the computer, or behind the install in its session.
			for (const sessionId of storage.sessions.waitingOn(computerId)) turns.wake(sessionId);
		};
		work.add(run());
	};

	return {
		start,
		resume({id, runner}) {
			if (runner !== undefined && instance.isAlive(runner)) return;
			if (!storage.computers.steps(id).some(isUnfinished)) return;
			if (runner !== undefined) storage.computers.release(id, runner);
			start(id);
		},
		settled: work.settled,
	};
}

export function isUnfinished({status}: StoredStep): boolean {
	return status === 'pending' || status === 'in_progress';
}

async function runSteps(backgroundContext: BackgroundContext, computerId: string): Promise<void> {
	const {storage, closing} = backgroundContext;
	for (;;) {
		const step = storage.computers.steps(computerId).find(isUnfinished);
		if (!step) break;
		await runStep(backgroundContext, computerId, step);
		if (closing.aborted) return;
	}
	const isUsable = storage.computers
		.steps(computerId)
		.every(({kind, status}) => kind === 'install' || status === 'completed');
	storage.computers.setStatus(computerId, isUsable ? 'active' : 'error');
}

async function runStep(
	backgroundContext: BackgroundContext,
	computerId: string,
	step: StoredStep,
): Promise<void> {
	const {storage, closing} = backgroundContext;
	const computer = storage.computers.get(computerId);
	if (!computer) return;
	const startedAt = Date.now();
	const run = {backgroundContext, computer, step, steps: storage.computers.steps(computerId)};
	const installSessionId =
		step.kind === 'install' ? (step.installSessionId ?? createInstallSession(run)) : undefined;
	storage.computers.setStep(step.id, {status: 'in_progress', startedAt, installSessionId});
	try {
		await doStep({...run, step: {...step, installSessionId}});
		if (!closing.aborted)
			storage.computers.setStep(step.id, {status: 'completed', startedAt, completedAt: Date.now()});
	} catch (error) {
		if (!closing.aborted) fail(backgroundContext, computerId, step, startedAt, error);
	}
	// Interrupted: the step starts over at the next start.
	if (closing.aborted) storage.computers.setStep(step.id, {status: 'pending'});
}

/** A computer is usable after a failed install; after any other failure, later steps are pointless. */
function fail(
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
