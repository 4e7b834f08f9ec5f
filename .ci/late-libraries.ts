import {dirname, join, resolve} from 'node:path';
import type {Plugin} from 'esbuild';

/** A package, or a file of ours over packages, and the exports used of it. */
type LateLibrary = {readonly path: string; readonly exports: readonly string[]};

const source = join(resolve(import.meta.dirname, '..'), 'src');
const markdown = join(source, 'text/markdown');

/**
 * Libraries that the first frame doesn't need. Each is a script of its own, loaded on first use: of its exports, not
 * of its import. First frame: 5 % of the budget.
 */
export const lateLibraries: Readonly<Record<string, LateLibrary>> = {
	undici: {path: 'undici', exports: ['Agent', 'EnvHttpProxyAgent']},
	zod: {path: 'zod', exports: ['z']},
	diff: {path: 'diff', exports: ['structuredPatch', 'createTwoFilesPatch', 'diffWordsWithSpace']},
	markdown: {path: join(markdown, 'markdown-parser.ts'), exports: ['parseBlocks', 'parseInline']},
	grammars: {path: join(markdown, 'code-grammars.ts'), exports: ['isLanguage', 'scopedCode']},
	transcripts: {
		path: join(source, 'sync/transcripts/transcripts.ts'),
		exports: [
			'allTranscripts',
			'followTranscript',
			'openTranscriptFile',
			'previewTranscript',
			'transcriptIn',
		],
	},
	'transcript-search': {
		path: join(source, 'sync/transcripts/search-transcripts.ts'),
		exports: ['findInTranscript', 'searchTranscripts'],
	},
};

/** An esbuild plugin that turns imports of these libraries into `require`. */
export function withoutLateLibraries(): Plugin {
	const names = new Map(Object.entries(lateLibraries).map(([name, {path}]) => [path, name]));
	const namespace = 'late-library';
	return {
		name: 'late-libraries',
		setup(build) {
			build.onResolve({filter: /./}, ({path, kind, importer}) => {
				const name = names.get(path.startsWith('.') ? join(dirname(importer), path) : path);
				if (name === undefined) return undefined;
				return kind === 'import-statement' ? {path: name, namespace} : {path: name, external: true};
			});
			build.onResolve({filter: /./, namespace}, ({path}) => ({path, external: true}));
			build.onLoad({filter: /./, namespace}, ({path: name}) => ({
				contents: `module.exports = {${(lateLibraries[name]?.exports ?? [])
					.map(taken => `get ${taken}() { return require('${name}').${taken}; }`)
					.join(', ')}};`,
			}));
		},
	};
}

/** Node's own modules that take long to load. First frame: 4 % of the budget for `crypto`, 1 % for the other. */
const lateBuiltins = ['child_process', 'crypto'];

/** An esbuild plugin that loads these when one of their functions is called. Nothing but functions can be imported. */
export function withoutLateBuiltins(): Plugin {
	const namespace = 'late-builtin';
	return {
		name: 'late-builtins',
		setup(build) {
			build.onResolve({filter: new RegExp(`^node:(?:${lateBuiltins.join('|')})$`)}, ({path, kind}) =>
				kind === 'import-statement' ? {path, namespace, sideEffects: false} : undefined,
			);
			build.onLoad({filter: /./, namespace}, ({path}) => ({
				contents: Object.entries(process.getBuiltinModule(path) ?? {})
					.filter(([, value]) => typeof value === 'function')
					.map(([name]) => `export const ${name} = (...args) => require('${path}').${name}(...args);`)
					.join('\n'),
			}));
		},
	};
}

/** An esbuild plugin that leaves out some or all dynamic imports, for a script that never performs them. */
export function withoutDynamicImports(
	isLeftOut: (path: string, importer: string) => boolean = () => true,
): Plugin {
	return {
		name: 'without-dynamic-imports',
		setup(build) {
			build.onResolve({filter: /^\./}, ({path, kind, importer}) =>
				kind === 'dynamic-import' && isLeftOut(path, importer) ? {path, external: true} : undefined,
			);
		},
	};
}
