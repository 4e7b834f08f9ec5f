import type {ReadinessReport} from './readiness.ts';
import {type CriterionScore, scoresOf} from './readiness-score.ts';

/** One criterion in two reports; absent where a report doesn't have it. */
export type CriterionChange = {
	readonly id: string;
	readonly before: CriterionScore | undefined;
	readonly after: CriterionScore | undefined;
};

/** Two reports of a repository, criterion by criterion. A criterion can be in more than one list. */
export type ReportComparison = {
	readonly newlyPassing: readonly CriterionChange[];
	readonly newlyFailing: readonly CriterionChange[];
	/** More or fewer sub-applications were evaluated: their shares can't be compared as they are. */
	readonly denominatorChanged: readonly CriterionChange[];
	readonly added: readonly CriterionChange[];
	readonly removed: readonly CriterionChange[];
};

/** A criterion passes when every sub-application does; one whose numbers can't be read neither passes nor fails. */
export function compareReports(before: ReadinessReport, after: ReadinessReport): ReportComparison {
	const past = new Map(scoresOf(before).map(score => [score.id, score]));
	const present = new Map(scoresOf(after).map(score => [score.id, score]));
	const changes = [...new Set([...past.keys(), ...present.keys()])]
		.sort()
		.map(id => ({id, before: past.get(id), after: present.get(id)}));
	const isPass = (score: CriterionScore | undefined) => score?.state === 'pass';
	const isFail = (score: CriterionScore | undefined) => score?.state === 'fail' || score?.state === 'partial';
	return {
		newlyPassing: changes.filter(change => isFail(change.before) && isPass(change.after)),
		newlyFailing: changes.filter(change => isPass(change.before) && isFail(change.after)),
		denominatorChanged: changes.filter(
			change =>
				change.before?.denominator !== undefined &&
				change.after?.denominator !== undefined &&
				change.before.denominator !== change.after.denominator,
		),
		added: changes.filter(change => !change.before),
		removed: changes.filter(change => !change.after),
	};
}
