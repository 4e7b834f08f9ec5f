const wrapper = '\0random-cases';

/** How many times as many cases models and property tests draw as they say: more than once in part P1 of the soak. */
export const times = Number(process.env.SOAK_TIMES ?? 1);

/** A Vite plugin for fast-check. With a seed, every run draws the same cases: two runs of one commit don't differ. */
export function randomCases(seed?: number) {
	return {
		name: 'random-cases',
		enforce: 'pre' as const,
		resolveId: (id: string, importer: string | undefined) =>
			id === 'fast-check' && importer !== wrapper ? wrapper : undefined,
		load: (id: string) =>
			id === wrapper
				? `import fc from 'fast-check';
${seed === undefined ? '' : `fc.configureGlobal({seed: ${seed}});`}
export default {...fc, assert: (property, parameters = {}) =>
	fc.assert(property, {...parameters, numRuns: ${times} * (parameters.numRuns ?? 100)})};`
				: undefined,
	};
}
