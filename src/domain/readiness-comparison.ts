import type {ReadinessReport} from './readiness.ts';
import {type CriterionScore, scoresOf} from './readiness-score.ts';

/** One criterion in two reports; absent where a report doesn't include it. */
export type CriterionChange = {
	readonly id: string;
	readonly before: CriterionScore | undefined;
	readonly after: CriterionScore | undefined;
};

/** A comparison of two reports of a repository by criterion. A criterion can appear in more than one list. */
export type ReportComparison = {
	readonly newlyPassing: readonly CriterionChange[];
	readonly newlyFailing: readonly CriterionChange[];
	/** The number of evaluated sub-applications changed, so the fractions are not directly comparable. */
	readonly denominatorChanged: readonly CriterionChange[];
	readonly added: readonly CriterionChange[];
	readonly removed: readonly CriterionChange[];
};

/**
 * Compares two reports. A criterion passes when every sub-application does; one with unreadable numbers
 * neither passes nor fails.
 */
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
