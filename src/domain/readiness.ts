import type {ExtraFields, OpenEnum} from './open-enum.ts';

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
