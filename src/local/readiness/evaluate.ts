import {randomUUID} from 'node:crypto';
import {join} from 'node:path';
import type {CriterionEvaluation, ReadinessReport} from '../../domain/organization/readiness.ts';
import {openRepository} from '../../git/repository.ts';
import type {BackgroundContext} from '../context.ts';
import {gitIn, outputOf} from '../processes/git.ts';
import {maskCredentials} from '../provisioning/repository-url.ts';
import {
	type Application,
	type Criterion,
	createSourceTree,
	criteria,
	findApplications,
	type SourceTree,
} from './criteria.ts';

/** Time limit per repository, ms; a slower one is retried next time. */
const timeLimit = 15_000;

/** Evaluates the repositories in all workspaces: per commit, once without and once with local changes. */
export async function evaluateWorkspaces(context: BackgroundContext): Promise<void> {
	const {computers} = context.storage;
	const folders = computers.all().flatMap(({id, workspace}) => {
		const steps = computers.steps(id);
		const clones = steps.flatMap(({repo, status}) => (repo && status === 'completed' ? [repo.folder] : []));
		const isUserFolder = steps.some(({kind}) => kind === 'check-workspace');
		return isUserFolder ? [workspace] : clones.map(folder => join(workspace, folder));
	});
	for (const folder of folders) await evaluateRepository(context, folder);
}

async function evaluateRepository(
	{storage, groups, closing}: BackgroundContext,
	folder: string,
): Promise<void> {
	const signal = AbortSignal.any([closing, AbortSignal.timeout(timeLimit)]);
	const repository = await openRepository(folder, 'read').catch(() => undefined);
	if (!repository) return;
	const {root} = repository;
	const git = gitIn(groups, repository, signal);
	const gitOutput = async (...args: string[]) => outputOf(await git(args))?.trim();
	const [commitHash, status, origin] = await Promise.all([
		gitOutput('rev-parse', 'HEAD'),
		gitOutput('status', '--porcelain', '--ignore-submodules=dirty'),
		gitOutput('config', '--get', 'remote.origin.url'),
	]);
	if (!commitHash || status === undefined) return;
	const repoUrl = maskCredentials(origin || `file://${root}`);
	const hasLocalChanges = status !== '';
	const state = hasLocalChanges ? `${commitHash} with changes` : commitHash;
	if (storage.readiness.has(repoUrl, state)) return;
	const [files, branch, ahead] = await Promise.all([
		gitOutput('ls-files', '-z', '--cached', '--others', '--exclude-standard'),
		gitOutput('branch', '--show-current'),
		gitOutput('rev-list', '--count', 'HEAD', '--not', '--remotes'),
	]);
	if (files === undefined || closing.aborted) return;
	const tree = createSourceTree(root, files.split('\0').filter(Boolean));
	storage.readiness.add(repoUrl, state, {
		reportId: randomUUID(),
		createdAt: Date.now(),
		repoUrl,
		...evaluate(tree),
		commitHash,
		branch: branch || undefined,
		hasLocalChanges,
		hasNonRemoteCommits: ahead === undefined ? undefined : Number(ahead) > 0,
	});
}

/** Scores a repository's files on every criterion, in the form of a readiness report. */
function evaluate(tree: SourceTree): Pick<ReadinessReport, 'apps' | 'report'> {
	const applications = findApplications(tree);
	return {
		apps: Object.fromEntries(applications.map(({path, description}) => [path, {description}])),
		report: Object.fromEntries(
			criteria.map(criterion => [criterion.id, score(tree, criterion, applications)]),
		),
	};
}

function score(
	tree: SourceTree,
	criterion: Criterion,
	applications: readonly Application[],
): CriterionEvaluation {
	const {scope, wanted} = criterion;
	const evaluated = scope === 'repository' ? applications.slice(0, 1) : applications;
	const results = evaluated.map(application => ({
		path: application.path,
		evidence: criterion.find(tree, application),
	}));
	const passed = results.filter(({evidence}) => evidence !== undefined);
	return {
		numerator: passed.length,
		denominator: results.length,
		rationale:
			scope === 'repository'
				? (results[0]?.evidence ?? `missing: ${wanted}`)
				: results.map(({path, evidence}) => `${path}: ${evidence ?? `missing ${wanted}`}`).join('; '),
	};
}
