import {repositoryNames} from './repository-url.ts';

/** What a step does; how is in `step-work.ts`. */
export type StepKind = 'check-host' | 'create-workspace' | 'check-workspace' | 'clone' | 'install' | 'ready';

export type StepStatus = 'pending' | 'in_progress' | 'completed' | 'failed' | 'skipped';

/** A step of a computer's provisioning, as it is planned. */
export type PlannedStep = {
	readonly kind: StepKind;
	readonly name: string;
	/** Of a clone: its address and the folder's name in the workspace. */
	readonly repo?: {readonly url: string; readonly folder: string};
	/** `skipped` when it was not asked for, but can be run later (install-deps). */
	readonly status: 'pending' | 'skipped';
};

/** The steps of a computer with a workspace of its own. */
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

/** The steps of this machine's own computer, whose workspace is a folder that the user already has. */
export function planThisMachine(): PlannedStep[] {
	return [
		{kind: 'check-host', name: 'check host', status: 'pending'},
		{kind: 'check-workspace', name: 'check workspace', status: 'pending'},
		{kind: 'ready', name: 'ready', status: 'pending'},
	];
}
