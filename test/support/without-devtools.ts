import type {Plugin} from 'esbuild';

/** Ink asks for react-devtools-core when `DEV` is set; the bundle never does, and must not carry a broken import. */
export function withoutDevtools(): Plugin {
	return {
		name: 'without-devtools',
		setup(build) {
			build.onResolve({filter: /^react-devtools-core$/}, ({path}) => ({path, namespace: 'empty'}));
			build.onLoad({filter: /.*/, namespace: 'empty'}, () => ({contents: 'export default {};'}));
		},
	};
}
