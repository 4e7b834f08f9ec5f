import type {Plugin} from 'esbuild';

/**
 * Libraries that the first frame doesn't need, and the exports used of each. Each is a script of its own, loaded on
 * first use. First frame: 5 % of the budget.
 */
export const lateLibraries: Readonly<Record<string, readonly string[]>> = {
	undici: ['Agent', 'EnvHttpProxyAgent'],
	zod: ['z'],
};

/** An esbuild plugin that turns imports of these libraries into `require`. */
export function withoutLateLibraries(): Plugin {
	const filter = new RegExp(`^(?:${Object.keys(lateLibraries).join('|')})$`);
	const namespace = 'late-library';
	return {
		name: 'late-libraries',
		setup(build) {
			build.onResolve({filter}, ({path, kind}) =>
				kind === 'import-statement' ? {path, namespace} : {path, external: true},
			);
			build.onLoad({filter, namespace}, ({path}) => ({
				contents: `export const {${lateLibraries[path]}} = require('${path}');`,
			}));
		},
	};
}

/** An esbuild plugin that leaves out what is imported on demand: for a script that never asks for it. */
export function withoutDynamicImports(): Plugin {
	return {
		name: 'without-dynamic-imports',
		setup(build) {
			build.onResolve({filter: /^\./}, ({path, kind}) =>
				kind === 'dynamic-import' ? {path, external: true} : undefined,
			);
		},
	};
}
