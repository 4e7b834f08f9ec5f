/** A folder isn't in a repository that we use. The message says why. */
export class RepositoryError extends Error {
	override readonly name = 'RepositoryError';
	readonly problem: 'no-repository' | 'no-git' | 'failed';

	constructor(problem: RepositoryError['problem'], message: string) {
		super(message);
		this.problem = problem;
	}
}
