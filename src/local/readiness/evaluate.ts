import type {CriterionEvaluation, ReadinessReport} from '../../domain/readiness.ts';
import {type Application, findApplications} from './applications.ts';
import {type Criterion, criteria} from './criteria.ts';
import type {SourceTree} from './source-tree.ts';

/** Scores a repository's files on every criterion, in the form of a readiness report. */
export function evaluate(tree: SourceTree): Pick<ReadinessReport, 'apps' | 'report'> {
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
