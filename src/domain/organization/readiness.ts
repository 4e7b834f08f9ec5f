import type {ExtraFields, OpenEnum} from '../known.ts';
import {maskText} from '../masking.ts';

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
	const reason = rationale === undefined ? {} : {rationale};
	const isReadable = isNumber(denominator) && denominator >= 1 && isNumber(numerator) && numerator >= 0;
	if (!isReadable) return {id, state: 'unknown', isOdd: false, ...reason};
	const passed = Math.min(numerator, denominator);
	const state = passed === denominator ? 'pass' : passed > 0 ? 'partial' : 'fail';
	return {id, state, numerator: passed, denominator, isOdd: numerator > denominator, ...reason};
}

/** The criteria of a report, failing first: none passing, some passing, unknown, all passing; then by name. */
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

/** One criterion in the newest reports of several repositories. */
export type CriterionAcross = {
	readonly id: string;
	/** Its score in each repository, in their order; absent where the report doesn't include it. */
	readonly scores: readonly (CriterionScore | undefined)[];
	/** Repositories where some sub-application fails it, of those with readable numbers. */
	readonly failing: number;
	readonly evaluated: number;
};

/** All criteria of the repositories' newest reports: those that fail in most repositories first, then by name. */
export function criteriaAcross(repositories: readonly RepositoryReadiness[]): CriterionAcross[] {
	const reports = repositories.map(
		({latest}) => new Map(scoresOf(latest).map(score => [score.id, score] as const)),
	);
	return [...new Set(reports.flatMap(scores => [...scores.keys()]))]
		.map((id): CriterionAcross => {
			const scores = reports.map(report => report.get(id));
			const readable = scores.filter(score => score && score.state !== 'unknown');
			const failing = readable.filter(score => score?.state !== 'pass').length;
			return {id, scores, failing, evaluated: readable.length};
		})
		.sort((a, b) => b.failing - a.failing || a.evaluated - b.evaluated || (a.id < b.id ? -1 : 1));
}

function isNumber(value: number | undefined): value is number {
	return value !== undefined && Number.isFinite(value);
}

export type ReasoningEffort = 'low' | 'medium' | 'high' | 'off';

/** One criterion's score: `numerator` of `denominator` sub-applications pass. */
export type CriterionEvaluation = ExtraFields & {
	readonly numerator?: number;
	readonly denominator?: number;
	readonly rationale?: string;
};

export type AppDescription = ExtraFields & {readonly description?: string};

/** A stored evaluation of one repository. `createdAt` is Unix ms. */
export type ReadinessReport = ExtraFields & {
	readonly reportId: string;
	readonly createdAt?: number;
	readonly repoUrl?: string;
	readonly apps?: Readonly<Record<string, AppDescription>>;
	readonly report?: Readonly<Record<string, CriterionEvaluation>>;
	readonly commitHash?: string;
	readonly branch?: string;
	readonly hasLocalChanges?: boolean;
	readonly hasNonRemoteCommits?: boolean;
	readonly modelUsed?: ExtraFields & {
		readonly id?: string;
		readonly reasoningEffort?: OpenEnum<ReasoningEffort>;
	};
	readonly agentVersion?: string;
};

export type RepositoryReadiness = {
	readonly key: string;
	/** Its host and path, as the newest report spells them; empty without a URL. */
	readonly name: string;
	/** Its URL from the newest report, without credentials. */
	readonly url: string;
	/** Newest first. */
	readonly reports: readonly ReadinessReport[];
	readonly latest: ReadinessReport;
	readonly score: PassShare;
	/** Pass rate of each report, oldest first. Reports without a readable score are left out. */
	readonly trend: readonly number[];
	/** Change in pass rate since the previous report: -0.1 is ten points lower. */
	readonly change: number | undefined;
};

/** Groups reports by repository, least ready first; duplicates are dropped and unreadable scores come last. */
export function repositoriesOf(reports: Iterable<ReadinessReport>): RepositoryReadiness[] {
	const unique = new Map<string, ReadinessReport>();
	for (const report of reports) if (!unique.has(report.reportId)) unique.set(report.reportId, report);
	const groups = Map.groupBy(unique.values(), ({repoUrl}) => repositoryKey(repoUrl ?? ''));
	return [...groups]
		.flatMap(([key, group]) => {
			// The service lists newest first; keep its order where times are equal or missing.
			const ordered = group.toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
			const [latest, before] = ordered;
			if (!latest) return [];
			const score = passShareOf(latest);
			const past = before && passShareOf(before).share;
			return [
				{
					key,
					name: repositoryName(latest.repoUrl ?? ''),
					url: maskText(latest.repoUrl ?? ''),
					reports: ordered,
					latest,
					score,
					trend: ordered.toReversed().flatMap(report => passShareOf(report).share ?? []),
					change: score.share === undefined || past === undefined ? undefined : score.share - past,
				},
			];
		})
		.sort((a, b) => (a.score.share ?? 2) - (b.score.share ?? 2) || (a.key < b.key ? -1 : 1));
}

/** One criterion in two reports; a score is undefined where a report doesn't include it. */
export type CriterionChange = ReturnType<typeof compareReports>['added'][number];

/**
 * Compares two reports. A criterion passes when every sub-application does; one with unreadable numbers
 * neither passes nor fails. A criterion can appear in more than one list.
 */
export function compareReports(before: ReadinessReport, after: ReadinessReport) {
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
		/** The number of evaluated sub-applications changed, so the fractions are not directly comparable. */
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

const maxLength = 2048;

/** A comparison key for a repository's URL: its name in lower case. */
export const repositoryKey = (url: string): string => repositoryName(url).toLowerCase();

/**
 * A repository's host and path, the same for every notation of its URL (`https://host/team/name.git`,
 * `git@host:team/name`). Excludes credentials.
 */
export function repositoryName(url: string): string {
	const trimmed = url.slice(0, maxLength).trim();
	const short = /^(?:[^\s/@]+@)?([\w.-]+):(?!\/\/)(?!\d+\/)(.+)$/.exec(trimmed);
	const plain = short
		? `${short[1]}/${short[2]}`
		: trimmed.replace(/^[a-z][a-z\d+.-]*:\/\/(?:[^/@]*@)?/i, '');
	return plain
		.replace(/[?#].*$/, '')
		.replace(/\/+$/, '')
		.replace(/\.git$/i, '')
		.replace(/\/{2,}/g, '/');
}
