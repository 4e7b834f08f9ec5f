const seeded = '\0seeded-fast-check';

/** A Vite plugin that gives every run the same random cases: two runs of one commit don't differ by them. */
export function sameCases() {
	return {
		name: 'same-cases',
		enforce: 'pre' as const,
		resolveId: (id: string, importer: string | undefined) =>
			id === 'fast-check' && importer !== seeded ? seeded : undefined,
		load: (id: string) =>
			id === seeded
				? "import fc from 'fast-check'; fc.configureGlobal({seed: 1}); export default fc;"
				: undefined,
	};
}
