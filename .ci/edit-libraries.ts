import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, resolve} from 'node:path';
import type {BuildOptions, Plugin} from 'esbuild';
import {type Edit, edits} from './ink-edits.ts';

const modules = resolve(import.meta.dirname, '../node_modules');

/** The esbuild plugin that applies every edit: those in `ink-edits.ts`, and the modules replaced below. */
export function editLibraries(): Plugin {
	return {
		name: 'edit-libraries',
		setup(build) {
			for (const edit of edits) {
				const path = pathOf(edit);
				const contents = applyEdit(edit, readFileSync(path, 'utf8'), versionOf(edit.package));
				build.onLoad({filter: exactly(path)}, () => ({contents, loader: 'js'}));
			}
			lazySegmenter(build.initialOptions);
			lightClock(build.initialOptions);
			build.onResolve({filter: /^quarterdeck:ink-rows$/}, () => ({path: inkRows}));
			synchronousYoga(build);
			withoutCopies(build);
			dispatchersOnly(build);
		},
	};
}

/** A Vite plugin that applies the edits of Ink, so that the screen tests run the Ink that users get. */
export function editInk() {
	const inkEdits = new Map(
		edits.filter(edit => edit.package === 'ink').map(edit => [pathOf(edit), edit] as const),
	);
	return {
		name: 'edit-ink',
		enforce: 'pre' as const,
		resolveId: (id: string) => (id === 'quarterdeck:ink-rows' ? inkRows : undefined),
		load(id: string) {
			if (!id.startsWith(inkFolder) || !id.endsWith('.js')) return undefined;
			const source = readFileSync(id, 'utf8');
			const edit = inkEdits.get(id);
			const code = edit ? applyEdit(edit, source, versionOf(edit.package)) : source;
			// Ink's source maps point to files it doesn't ship.
			return code.replace(/^\/\/# sourceMappingURL=.*$/m, '');
		},
	};
}

const inkFolder = join(modules, 'ink/');
const inkRows = join(import.meta.dirname, 'ink-rows.ts');

function pathOf(edit: Edit): string {
	return join(modules, edit.package, edit.file);
}

function applyEdit(edit: Edit, source: string, version: string): string {
	const where = `${edit.package}/${edit.file}`;
	if (version !== edit.version)
		throw new Error(`${where}: written for ${edit.version}, found ${version}. See .ci/README.md.`);
	for (const [from, to] of edit.replace) {
		if (source.split(from).length !== 2) throw new Error(`${where}: expected exactly one match of: ${from}`);
		source = source.replace(from, () => to);
	}
	return source;
}

function versionOf(name: string): string {
	return JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version;
}

/**
 * Instantiates Yoga synchronously. Its loader awaits at the top level, which a script can't do, and reads its
 * WebAssembly through `fetch(data:)`, which loads Node's own undici (50 ms).
 */
function synchronousYoga(build: Parameters<Plugin['setup']>[0]): void {
	const binary = join(modules, 'yoga-layout/dist/binaries/yoga-wasm-base64-esm.js');
	const source = readFileSync(binary, 'utf8');
	const base64 = /data:application\/octet-stream;base64,([A-Za-z0-9+/=]+)/.exec(source);
	if (!base64?.[1]) throw new Error('yoga-layout: no embedded WebAssembly found. See .ci/README.md.');
	const assembly = base64[1];
	const keptModule = 'var h;h||(h=';
	if (source.split(keptModule).length !== 2)
		throw new Error(`yoga-layout: expected exactly one match of: ${keptModule}`);
	const loader = source
		.replace(base64[0], 'data:application/octet-stream;base64,')
		.replace('import.meta.url', '"file:///yoga"')
		.replace(keptModule, `${keptModule}yogaModule.current=`);
	const index = join(modules, 'yoga-layout/dist/src/index.js');
	build.onLoad({filter: exactly(binary)}, () => ({
		contents: `export const yogaModule={};${loader}`,
		loader: 'js',
	}));
	build.onLoad({filter: exactly(index)}, () => ({
		resolveDir: dirname(index),
		loader: 'js',
		contents: `import loadYoga, {yogaModule} from '../binaries/yoga-wasm-base64-esm.js';
import wrapAssembly from './wrapAssembly.js';
loadYoga({instantiateWasm(imports, done) {
	const bytes = Buffer.from(${JSON.stringify(assembly)}, 'base64');
	const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
	done(instance);
	return instance.exports;
}});
export default wrapAssembly(yogaModule.current);
export * from './generated/YGEnums.js';`,
	}));
}

/**
 * Imports these without a copy: of a module that isn't ESM, esbuild copies all exports into each module that imports it,
 * 150 times here. First frame: 6 % of the budget for `node:process`, 2 % for React.
 */
function withoutCopies(build: Parameters<Plugin['setup']>[0]): void {
	const namespace = 'without-copies';
	const contents: Readonly<Record<string, string>> = {
		'node:process': 'export default process;\nexport const {cwd, env} = process;',
		react: allOf('react'),
		'react/jsx-runtime': allOf('react/jsx-runtime'),
	};
	build.onResolve({filter: /^(?:node:process|react|react\/jsx-runtime)$/}, ({path, kind}) =>
		kind === 'import-statement' ? {path, namespace} : undefined,
	);
	build.onLoad({filter: /./, namespace}, ({path}) => ({contents: contents[path], resolveDir: modules}));
}

function allOf(library: string): string {
	const names = Object.keys(createRequire(import.meta.url)(library));
	return `const library = require('${library}');
export default library;
export const {${names.join(', ')}} = library;`;
}

/**
 * Loads only the dispatchers of undici, without its fetch, caches, mocks and interceptors. Commands that send a request:
 * 9 % of the budget.
 */
function dispatchersOnly(build: Parameters<Plugin['setup']>[0]): void {
	const index = join(modules, 'undici/index.js');
	build.onLoad({filter: exactly(index)}, () => ({
		resolveDir: dirname(index),
		loader: 'js',
		contents: `module.exports = {
	get Agent() { return require('./lib/dispatcher/agent'); },
	get EnvHttpProxyAgent() { return require('./lib/dispatcher/env-http-proxy-agent'); },
};`,
	}));
}

/** Replaces `Intl.Segmenter` in everything that is bundled. */
function lazySegmenter(options: BuildOptions): void {
	options.define = {...options.define, 'Intl.Segmenter': 'LazySegmenter'};
	options.inject = [...(options.inject ?? []), join(import.meta.dirname, 'lazy-segmenter.ts')];
}

/** Replaces `performance` in everything that is bundled. */
function lightClock(options: BuildOptions): void {
	options.define = {...options.define, performance: 'lightClock'};
	options.inject = [...(options.inject ?? []), join(import.meta.dirname, 'light-clock.ts')];
}

function exactly(path: string): RegExp {
	return new RegExp(`^${path.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}$`);
}
