import {randomUUID} from 'node:crypto';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {z} from 'zod';
import {
	type Computer,
	commandLength,
	hostLength,
	hostProblem,
	hostTitle,
	type ProvisioningStep,
} from '../../domain/computers/computer.ts';
import {nameLength, remoteUserLength, repoCount, repoLength} from '../../domain/limits.ts';
import {agentRoot} from '../../domain/sessions/agent-request.ts';
import type {LocalContext} from '../context.ts';
import {parseBody, text} from '../http/fields.ts';
import {badField, get, notFound, patch, post, Refusal, type Route} from '../http/router.ts';
import type {Outage} from '../machines/link.ts';
import {controlPathOf, isMachine, type MachineComputer} from '../machines/machines.ts';
import {isUnfinished} from '../provisioning/provisioner.ts';
import {type PlannedStep, planMachine, planSteps, planThisMachine} from '../provisioning/provisioning.ts';
import {repositoryProblem} from '../provisioning/repository-url.ts';
import type {StoredComputer, StoredStep} from '../storage/computers.ts';

const name = text(nameLength.min, nameLength.max);
const remoteUser = text(remoteUserLength.min, remoteUserLength.max);
const hostId = z.guid({error: 'must be a UUID'});
const repo = text(1, repoLength).superRefine(problemOf(repositoryProblem));

function problemOf(find: (value: string) => string | undefined) {
	return (value: string, check: z.RefinementCtx) => {
		const message = find(value);
		if (message !== undefined) check.addIssue({code: 'custom', message});
	};
}

const host = z.union([
	z.strictObject({ssh: text(hostLength.min, hostLength.max).superRefine(problemOf(hostProblem))}),
	z.strictObject({command: z.array(text(1, commandLength.max)).min(1)}),
]);

const createBody = z.strictObject({
	name,
	remoteUser,
	provider: z.enum(['byom', 'e2b']).optional(),
	hostId: hostId.optional(),
	repos: z.array(repo).max(repoCount).optional(),
	autoInstallDeps: z.boolean().optional(),
	// Not in the contract: another machine.
	host: host.optional(),
});

const forgetBody = z.strictObject({removes: z.boolean()});

const updateBody = z.strictObject({
	name: name.optional(),
	hostId: hostId.optional(),
	remoteUser: remoteUser.optional(),
});

export function computerRoutes(context: LocalContext): Route[] {
	const {storage, provisioner, machines, folder} = context;

	const show = (id: string) => showComputer(context, id);
	const path = '/api/v0/computers';

	return [
		post(path, 201, ({body}) => {
			const draft = parseBody(createBody, body);
			if (draft.provider === 'e2b')
				throw badField('provider', 'this service runs sessions only on its own machine: byom');
			const id = randomUUID();
			const {name, hostId, host, repos = [], autoInstallDeps: installsDeps = false} = draft;
			const other =
				host && storage.computers.all().find(({machine}) => isDeepStrictEqual(machine?.host, host));
			if (other)
				throw new Refusal(
					409,
					`${hostTitle(host)} is the computer ${other.name} already (${other.id}): connect or forget that one`,
				);
			const steps = host ? planMachine() : planSteps(repos, installsDeps);
			const where = host
				? // Whose user that is, the machine says itself.
					{workspace: '', remoteUser: '', machine: {host, repos, installsDeps}}
				: {workspace: join(folder, 'computers', id, 'workspace'), remoteUser: draft.remoteUser};
			storage.transaction(() => storage.computers.add({id, name, hostId, ...where}, steps));
			provisioner.start(id);
			return show(id);
		}),
		get(`${path}/:computerId`, async ({params}) => {
			const computer = findComputer(context, params.computerId);
			if (isMachine(computer)) await machines.refresh(computer);
			return show(computer.id);
		}),
		patch(`${path}/:computerId`, ({params, body}) => {
			const {id} = findComputer(context, params.computerId);
			storage.computers.update(id, parseBody(updateBody, body));
			return show(id);
		}),
		post(`${path}/:computerId/install-deps`, 202, async ({params, body}) => {
			if (body !== undefined) throw new Refusal(400, 'this request has no body');
			const computer = findComputer(context, params.computerId);
			if (isMachine(computer)) await machines.retryInstall(computer);
			else retryInstall(context, computer);
			return show(computer.id);
		}),
		...machineRoutes(context),
	];
}

function machineRoutes(context: LocalContext): Route[] {
	const {storage, machines, provisioner} = context;
	const find = (id = ''): MachineComputer => {
		const computer = storage.computers.get(id);
		if (!computer || !isMachine(computer)) throw notFound('machine with the computer', id);
		return computer;
	};
	const path = `${agentRoot}/computers/:computerId`;
	return [
		post(`${path}/connect`, 202, async ({params}) => {
			const computer = find(params.computerId);
			const steps = storage.computers.steps(computer.id);
			const failed = steps.findIndex(({status}) => status === 'failed');
			if (failed >= 0) {
				storage.transaction(() => {
					for (const {id} of steps.slice(failed)) storage.computers.setStep(id, {status: 'pending'});
					storage.computers.update(computer.id, {status: 'provisioning'});
				});
				provisioner.start(computer.id);
			} else await machines.retry(computer);
			return showComputer(context, computer.id);
		}),
		post(`${path}/forget`, 200, async ({params, body}) => {
			const {removes} = parseBody(forgetBody, body);
			const computer = find(params.computerId);
			if (removes) await machines.remove(computer);
			machines.forget(computer);
			return {};
		}),
	];
}

/** Restarts the install, unless it is already running. */
function retryInstall({storage, provisioner}: LocalContext, computer: StoredComputer): void {
	const steps = storage.computers.steps(computer.id);
	const step = steps.find(({kind}) => kind === 'install');
	if (!step) throw new Refusal(409, 'this computer has no repositories, so there is nothing to install');
	if (step.status === 'in_progress') return;
	if (computer.status === 'provisioning')
		throw new Refusal(409, 'the computer is still being provisioned: wait until it is');
	if (steps.some(({kind, status}) => kind === 'clone' && status !== 'completed'))
		throw new Refusal(409, 'a repository could not be cloned: create the computer again');
	if (!isUnfinished(step)) storage.computers.setStep(step.id, {status: 'pending'});
	provisioner.start(computer.id);
}

/** Throws `Refusal` 404. */
export function findComputer({storage}: LocalContext, id = ''): StoredComputer {
	const computer = storage.computers.get(id);
	if (!computer) throw notFound('computer', id);
	return computer;
}

export function showComputer(context: LocalContext, id: string): Computer {
	const {storage, machines, agent} = context;
	const computer = findComputer(context, id);
	const {workspace, machine, unreachableSince: _, ...shown} = computer;
	const own = storage.computers.steps(id);
	const steps = isMachine(computer) ? [...own, ...stepsToCome(computer)] : own;
	const common = {
		...shown,
		providerType: 'byom',
		provisioningSteps: steps.map(({kind: __, repo: ___, ...step}) => step),
	};
	return isMachine(computer)
		? {
				...asMachine(computer, common, machines.outageOf(computer)),
				updatesWhenIdle: machines.updatesWhenIdle(computer) || undefined,
			}
		: {...common, folder: usualFolder({workspace}, own), agent: agent.name};
}

/** What the machine's own service will do, until it says so itself. */
function stepsToCome({
	status,
	machine: {computer: there, repos, installsDeps},
}: MachineComputer): PlannedStep[] {
	if (there) return [];
	const steps = repos.length > 0 ? planSteps(repos, installsDeps) : planThisMachine();
	return status === 'error' ? steps.map(step => ({...step, status: 'skipped'})) : steps;
}

/** A computer that is another machine: its own steps go on with those of the machine's service. */
function asMachine(
	{machine: {host, computer: there}, status, unreachableSince}: MachineComputer,
	{
		provisioningSteps: [connect, ...others],
		...common
	}: Computer & {
		readonly provisioningSteps: readonly ProvisioningStep[];
	},
	outage: Outage | undefined,
): Computer {
	const {folder, agent, provisioningSteps: later = []} = there ?? {};
	const isDown = unreachableSince !== undefined && status === 'active';
	const {why = 'not connected yet', retryAt} = outage ?? {};
	const failedAt = isDown
		? unreachableSince
		: [connect, ...others].find(step => step?.error !== undefined)?.completedAt;
	const timeOf = (at: number) => new Date(at).toTimeString().slice(0, 8);
	const next = retryAt === undefined ? 'trying again now' : `the next try is at ${timeOf(retryAt)}`;
	return {
		...common,
		host,
		controlPath: controlPathOf(host),
		folder,
		agent,
		status: isDown ? 'error' : status === 'active' ? there?.status : status,
		unreachableSince: failedAt,
		provisioningSteps: [
			isDown
				? {
						...connect,
						status: 'failed',
						error: `${why}\nUnreachable since ${timeOf(unreachableSince)}; ${next}.`,
						startedAt: unreachableSince,
						completedAt: unreachableSince,
					}
				: {...connect},
			...others,
			...later,
		],
	};
}

/** The folder of sessions that name none: the computer's repository if it has exactly one, else its workspace. */
export function usualFolder(
	{workspace}: Pick<StoredComputer, 'workspace'>,
	steps: readonly StoredStep[],
): string {
	const [repo, ...others] = steps.flatMap(step => step.repo ?? []);
	return repo && others.length === 0 ? join(workspace, repo.folder) : workspace;
}
