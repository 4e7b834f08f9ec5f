import {readFileSync} from 'node:fs';
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
			build.onResolve({filter: /^quarterdeck:ink-rows$/}, () => ({path: inkRows}));
			synchronousYoga(build);
		},
	};
}

/** A Vite plugin that applies the edits of what draws, so that the screen tests run the Ink that users get. */
export function editInk() {
	const drawingEdits = new Map(
		edits
			.filter(edit => ['ink', 'string-width'].includes(edit.package))
			.map(edit => [pathOf(edit), edit] as const),
	);
	return {
		name: 'edit-ink',
		enforce: 'pre' as const,
		resolveId: (id: string) => (id === 'quarterdeck:ink-rows' ? inkRows : undefined),
		load(id: string) {
			const edit = drawingEdits.get(id);
			if (!edit && !(id.startsWith(inkFolder) && id.endsWith('.js'))) return undefined;
			const source = readFileSync(id, 'utf8');
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

/** Replaces `Intl.Segmenter` in everything that is bundled. */
function lazySegmenter(options: BuildOptions): void {
	options.define = {...options.define, 'Intl.Segmenter': 'LazySegmenter'};
	options.inject = [...(options.inject ?? []), join(import.meta.dirname, 'lazy-segmenter.ts')];
}

function exactly(path: string): RegExp {
	return new RegExp(`^${path.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}$`);
}
