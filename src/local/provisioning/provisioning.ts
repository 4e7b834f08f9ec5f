import {repositoryNames} from './repository-url.ts';

/** The work of a step; `step-work.ts` implements it. */
export type StepKind =
	| 'check-host'
	| 'create-workspace'
	| 'check-workspace'
	| 'clone'
	| 'install'
	| 'ready'
	| MachineStepKind;

/** The work of a step for another machine. The rest is done there. */
export type MachineStepKind = 'connect' | 'check-machine' | 'copy-program' | 'start-service';

/** A provisioning step failed. The message becomes its `error`: the tool's own output if there is any. */
export class StepFailed extends Error {
	override readonly name = 'StepFailed';
}

export type StepStatus = 'pending' | 'in_progress' | 'completed' | 'failed' | 'skipped';

export type PlannedStep = {
	readonly kind: StepKind;
	readonly name: string;
	/** For a clone: the repository's address and its folder name in the workspace. */
	readonly repo?: {readonly url: string; readonly folder: string};
	/** `skipped`: not requested, but can be run later (install-deps). */
	readonly status: 'pending' | 'skipped';
};

/** Plans the steps of a computer with its own workspace. */
export function planSteps(repos: readonly string[], autoInstallDeps: boolean): PlannedStep[] {
	const names = repositoryNames(repos);
	const clones = repos.map((url, index): PlannedStep => {
		const folder = names[index] ?? 'repository';
		return {kind: 'clone', name: `clone ${folder}`, repo: {url, folder}, status: 'pending'};
	});
	return [
		{kind: 'check-host', name: 'check host', status: 'pending'},
		{kind: 'create-workspace', name: 'create workspace', status: 'pending'},
		...clones,
		...(repos.length > 0
			? [
					{
						kind: 'install',
						name: 'install dependencies',
						status: autoInstallDeps ? 'pending' : 'skipped',
					} as const,
				]
			: []),
		{kind: 'ready', name: 'ready', status: 'pending'},
	];
}

/** Plans the steps of this machine's computer, whose workspace is an existing folder of the user. */
export function planThisMachine(): PlannedStep[] {
	return [
		{kind: 'check-host', name: 'check host', status: 'pending'},
		{kind: 'check-workspace', name: 'check workspace', status: 'pending'},
		{kind: 'ready', name: 'ready', status: 'pending'},
	];
}

/** Plans the steps of a computer that is another machine, up to where its own service goes on. */
export function planMachine(): PlannedStep[] {
	return [
		{kind: 'connect', name: 'connect', status: 'pending'},
		{kind: 'check-machine', name: 'check the machine', status: 'pending'},
		{kind: 'copy-program', name: 'copy Quarterdeck', status: 'pending'},
		{kind: 'start-service', name: 'start its service', status: 'pending'},
	];
}
