import type {CriterionEvaluation, ReadinessReport} from './readiness.ts';

/**
 * The score of one criterion. `unknown`: its numbers are unusable (no numerator, no denominator, or a
 * denominator below 1). `isOdd`: the report claims more passes than sub-applications; counted as all passing.
 */
export type CriterionScore = {
	readonly id: string;
	readonly state: 'pass' | 'partial' | 'fail' | 'unknown';
	readonly numerator?: number;
	readonly denominator?: number;
	readonly isOdd: boolean;
	readonly rationale?: string;
};

export function scoreOf(
	id: string,
	{numerator, denominator, rationale}: CriterionEvaluation,
): CriterionScore {
	const said = rationale === undefined ? {} : {rationale};
	const isReadable = isNumber(denominator) && denominator >= 1 && isNumber(numerator) && numerator >= 0;
	if (!isReadable) return {id, state: 'unknown', isOdd: false, ...said};
	const passed = Math.min(numerator, denominator);
	const state = passed === denominator ? 'pass' : passed > 0 ? 'partial' : 'fail';
	return {id, state, numerator: passed, denominator, isOdd: numerator > denominator, ...said};
}

/**
 * The criteria of a report, failing first: none passing, some passing, unknown, all passing; then by name.
 */
export function scoresOf({report = {}}: ReadinessReport): CriterionScore[] {
	return Object.entries(report)
		.map(([id, evaluation]) => scoreOf(id, evaluation))
		.sort((a, b) => order[a.state] - order[b.state] || (a.id < b.id ? -1 : 1));
}

const order = {fail: 0, partial: 1, unknown: 2, pass: 3} as const;

/**
 * Number of criteria that every sub-application passes (`passed`), out of those with readable numbers (`of`).
 * `share` is 0 to 1.
 */
export type PassShare = {readonly passed: number; readonly of: number; readonly share: number | undefined};

export function passShareOf(report: ReadinessReport): PassShare {
	const scores = scoresOf(report).filter(({state}) => state !== 'unknown');
	const passed = scores.filter(({state}) => state === 'pass').length;
	return {passed, of: scores.length, share: scores.length > 0 ? passed / scores.length : undefined};
}

/** Failing criteria, fewest missing sub-applications first; ties go to the one closer to passing. */
export function nearestToFlip(report: ReadinessReport): (CriterionScore & {readonly missing: number})[] {
	return scoresOf(report)
		.flatMap(score => {
			const {numerator, denominator} = score;
			if (numerator === undefined || denominator === undefined || score.state === 'pass') return [];
			return [{...score, missing: denominator - numerator, done: numerator / denominator}];
		})
		.sort((a, b) => a.missing - b.missing || b.done - a.done || (a.id < b.id ? -1 : 1))
		.map(({done: _, ...score}) => score);
}

function isNumber(value: number | undefined): value is number {
	return value !== undefined && Number.isFinite(value);
}
