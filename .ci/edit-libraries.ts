import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, resolve} from 'node:path';
import type {Plugin} from 'esbuild';
import {type Edit, edits} from './ink-edits.ts';

const modules = resolve(import.meta.dirname, '../node_modules');

/** An esbuild plugin that applies the edits of `ink-edits.ts` and makes yoga start synchronously. */
export function editLibraries(): Plugin {
	return {
		name: 'edit-libraries',
		setup(build) {
			for (const edit of edits) {
				const path = pathOf(edit);
				const contents = applyEdit(edit, readFileSync(path, 'utf8'), versionOf(edit.package));
				build.onLoad({filter: exactly(path)}, () => ({contents, loader: 'js'}));
			}
			build.onResolve({filter: /^quarterdeck:ink-rows$/}, () => ({path: inkRows}));
			synchronousYoga(build);
			processAsItIs(build);
			reactAsItIs(build);
			dispatchersOnly(build);
			englishOnly(build);
		},
	};
}

/** A Vite plugin with the edits of Ink itself, so that the screen tests run the Ink that users get. */
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
		throw new Error(`${where}: written for ${edit.version}, found ${version}. Look at .ci/ink-edits.ts.`);
	for (const [from, to] of edit.replace) {
		if (source.split(from).length !== 2) throw new Error(`${where}: not exactly one of: ${from}`);
		source = source.replace(from, () => to);
	}
	return source;
}

function versionOf(name: string): string {
	return JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version;
}

/**
 * Yoga's loader reads its WebAssembly through `fetch(data:)`, which pulls in Node's own undici (50 ms and more).
 * Here the bytes are compiled and instantiated in place, which takes about a millisecond.
 */
function synchronousYoga(build: Parameters<Plugin['setup']>[0]): void {
	const binary = join(modules, 'yoga-layout/dist/binaries/yoga-wasm-base64-esm.js');
	const source = readFileSync(binary, 'utf8');
	const base64 = /data:application\/octet-stream;base64,([A-Za-z0-9+/=]+)/.exec(source);
	if (!base64?.[1])
		throw new Error('yoga-layout: no embedded WebAssembly found. Look at .ci/edit-libraries.ts.');
	const assembly = base64[1];
	const keptModule = 'var h;h||(h=';
	if (source.split(keptModule).length !== 2)
		throw new Error(`yoga-layout: not exactly one of: ${keptModule}`);
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

/** Each import of a module of Node as a whole copies all its properties first: 17 of this one take two milliseconds. */
function processAsItIs(build: Parameters<Plugin['setup']>[0]): void {
	const namespace = 'process';
	build.onResolve({filter: /^node:process$/}, () => ({path: namespace, namespace}));
	build.onLoad({filter: /^process$/, namespace}, () => ({
		contents: 'export default process;\nexport const {cwd, env} = process;',
	}));
}

/**
 * The same of React, which a hundred files import: and each call of what was copied would go through a getter. Its
 * own names are variables of the bundle here.
 */
function reactAsItIs(build: Parameters<Plugin['setup']>[0]): void {
	const namespace = 'react';
	const own = createRequire(import.meta.url);
	build.onResolve({filter: /^react(?:\/jsx-runtime)?$/}, ({path, kind}) =>
		kind === 'import-statement' ? {path, namespace} : undefined,
	);
	build.onLoad({filter: /.*/, namespace}, ({path}) => ({
		resolveDir: modules,
		contents: `const whole = require('${path}');
export default whole;
export const {${Object.keys(own(path))}} = whole;`,
	}));
}

/** Of undici the program takes its dispatchers; its fetch, caches, mocks and interceptors take longer to load. */
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

/** zod brings its errors in fifty languages; ours are written where they are met. */
function englishOnly(build: Parameters<Plugin['setup']>[0]): void {
	const index = join(modules, 'zod/v4/locales/index.js');
	build.onLoad({filter: exactly(index)}, () => ({
		resolveDir: dirname(index),
		loader: 'js',
		contents: "export {default as en} from './en.js';",
	}));
}

function exactly(path: string): RegExp {
	return new RegExp(`^${path.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}$`);
}
