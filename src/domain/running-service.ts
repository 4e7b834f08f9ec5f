/** What the running embedded service says about itself. */
export type RunningService = {
	readonly pid: number;
	readonly version: string;
	/** Unix ms. */
	readonly startedAt: number;
	/** What it offers beside the contract. */
	readonly offers: readonly string[];
	/** No endpoint of the contract lists them. */
	readonly computerIds: readonly string[];
	/** Sessions whose turn is running. */
	readonly agentsAtWork: number;
	/** It ends as soon as nothing is at work, for a newer version to take its place. */
	readonly endsWhenIdle: boolean;
};
