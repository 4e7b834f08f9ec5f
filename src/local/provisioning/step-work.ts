import {accessSync, constants, rmSync, statfsSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {makeFolder} from '../../../hooks/runtime-folder.ts';
import {agentRoot} from '../../domain/sessions/agent-request.ts';
import type {BackgroundContext} from '../context.ts';
import {Refusal} from '../http/router.ts';
import {errorCode} from '../local-error.ts';
import {MachineError} from '../machines/machine-program.ts';
import {isMachine, type MachineComputer, type Machines} from '../machines/machines.ts';
import {runGit} from '../processes/git.ts';
import {runProgram} from '../processes/run-program.ts';
import type {StoredComputer, StoredStep} from '../storage/computers.ts';
import {installDependencies} from './install-dependencies.ts';
import {StepFailed} from './provisioning.ts';
import {maskCredentials} from './repository-url.ts';

export type StepRun = {
	readonly context: BackgroundContext;
	readonly computer: StoredComputer;
	readonly step: StoredStep;
	readonly steps: readonly StoredStep[];
	readonly machines: Machines;
};

/** Minimum free space for a workspace, bytes. */
const minSpace = 100 * 1024 * 1024;
/** Time limits for a clone, and for starting a program, ms. */
const cloneLimit = 60 * 60_000;
const startLimit = 20_000;

/** Runs one step. Throws `StepFailed` with the text for the step's `error`. */
export async function doStep(run: StepRun): Promise<void> {
	switch (run.step.kind) {
		case 'check-host':
			return checkHost(run);
		case 'create-workspace':
			makeFolder(run.computer.workspace, 0o700);
			return;
		case 'check-workspace':
			return checkWorkspace(run.computer.workspace);
		case 'clone':
			return clone(run);
		case 'install':
			return installDependencies(run);
		case 'ready':
			return checkWorkspace(run.computer.workspace);
		default:
			return doMachineStep(run);
	}
}

async function checkHost({context, steps}: StepRun): Promise<void> {
	const {bavail, bsize} = statfsSync(context.folder);
	if (bavail * bsize < minSpace)
		throw new StepFailed(
			`less than 100 MiB of disk space is left at ${context.folder}: make room and create the computer again`,
		);
	const programs = ['sh', ...(steps.some(step => step.kind === 'clone') ? ['git'] : [])];
	for (const program of programs) {
		const args = program === 'git' ? ['--version'] : ['-c', 'exit 0'];
		const command = {file: program, args, cwd: context.folder};
		const signal = AbortSignal.any([context.closing, AbortSignal.timeout(startLimit)]);
		const {note} = await runProgram(context.groups, command, {signal});
		if (note !== undefined) throw new StepFailed(`${program} can't be run on this machine: ${note}`);
	}
}

function checkWorkspace(workspace: string): void {
	try {
		accessSync(workspace, constants.R_OK | constants.X_OK);
		if (!statSync(workspace).isDirectory()) throw new StepFailed(`${workspace} is not a folder`);
	} catch (cause) {
		if (cause instanceof StepFailed) throw cause;
		throw new StepFailed(`${workspace} can't be read (${errorCode(cause)})`, {cause});
	}
}

async function clone({context, computer, step}: StepRun): Promise<void> {
	if (!step.repo) throw new StepFailed('no repository to clone');
	const target = join(computer.workspace, step.repo.folder);
	// Left behind by an interrupted clone.
	rmSync(target, {recursive: true, force: true});
	const {note, stderr} = await runGit(context.groups, ['clone', '--', step.repo.url, target], {
		signal: context.closing,
		timeLimit: cloneLimit,
	});
	if (note !== undefined) throw new StepFailed(maskCredentials(`${stderr}\n${note}`.trim()));
}

/** Does one step of setting up another machine. Throws `StepFailed` with ssh's own words, or the machine's. */
async function doMachineStep({context, computer, step, steps, machines}: StepRun): Promise<void> {
	if (!isMachine(computer)) return;
	const {computers} = context.storage;
	const machine = await machines.open(computer);
	try {
		switch (step.kind) {
			case 'connect': {
				const {user, hostname} = await machine.check();
				computers.update(computer.id, {remoteUser: user, hostname});
				return;
			}
			case 'check-machine': {
				// Says what will be copied before it is.
				const title = await machine.copyTitle();
				const next = steps.find(({kind}) => kind === 'copy-program');
				if (next) computers.setStep(next.id, {status: 'pending', name: title});
				return;
			}
			case 'copy-program':
				return await machine.copy();
			case 'start-service':
				await machine.link.connect();
				machines.save(computer, await readComputer(computer, machines));
		}
	} catch (error) {
		if (error instanceof MachineError || error instanceof Refusal) throw new StepFailed(error.message);
		throw error;
	}
}

/** The computer on the machine: one with the repositories, or that of the machine itself. */
async function readComputer(computer: MachineComputer, machines: Machines): Promise<unknown> {
	const {repos, installsDeps, computer: known} = computer.machine;
	const path = '/api/v0/computers';
	if (repos.length > 0 && !known) {
		const {name, remoteUser} = computer;
		const body = {name, remoteUser, repos, autoInstallDeps: installsDeps};
		return machines.request(computer, {method: 'POST', path, body});
	}
	const service = await machines.request(computer, {method: 'GET', path: `${agentRoot}/service`});
	const {computerIds: [first] = []} = service as {readonly computerIds?: readonly string[]};
	const id = encodeURIComponent(known?.id ?? first ?? '');
	return machines.request(computer, {method: 'GET', path: `${path}/${id}`});
}
