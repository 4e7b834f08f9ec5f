import {chmodSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join, resolve} from 'node:path';
import {type BuildOptions, build, type Plugin} from 'esbuild';
import {editLibraries} from './edit-libraries.ts';
import {thirdPartyNotices} from './third-party.ts';
import {withoutDevtools} from './without-devtools.ts';

const top = resolve(import.meta.dirname, '..');
const {version} = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
const out = process.argv[2] ? resolve(process.argv[2]) : join(top, 'dist');

const shared: BuildOptions = {
	absWorkingDir: top,
	bundle: true,
	platform: 'node',
	minify: true,
	metafile: true,
	logLevel: 'warning',
	legalComments: 'none',
	define: {
		'process.env.NODE_ENV': '"production"',
		'process.env.DEV': '"false"',
		__VERSION__: JSON.stringify(version),
	},
};

/** Leaves what the entry loads lazily to the program's own build, and notes what that is. */
function lazyEntries(found: Set<string>): Plugin {
	return {
		name: 'lazy-entries',
		setup({onResolve}) {
			onResolve({filter: /^\./}, ({kind, path, resolveDir}) => {
				if (kind !== 'dynamic-import') return undefined;
				found.add(resolve(resolveDir, path));
				return {path: `./program/${basename(path).replace(/\.tsx?$/, '.js')}`, external: true};
			});
		},
	};
}

rmSync(out, {recursive: true, force: true});

// The entry: one small file without a library in it, so that `--version` costs no more than Node itself.
const lazy = new Set<string>();
await build({
	...shared,
	entryPoints: {cli: 'src/cli.ts'},
	outdir: out,
	format: 'esm',
	target: 'node18',
	plugins: [lazyEntries(lazy)],
});

// The program: what the entry asks for, in chunks that load when they are needed.
const program = await build({
	...shared,
	entryPoints: [...lazy],
	outdir: join(out, 'program'),
	entryNames: '[name]',
	chunkNames: '[name]-[hash]',
	format: 'esm',
	splitting: true,
	target: 'node22',
	define: {...shared.define, 'Intl.Segmenter': 'LazySegmenter'},
	inject: [join(import.meta.dirname, 'lazy-segmenter.ts')],
	// Some libraries are CommonJS and ask for Node's modules by `require`.
	banner: {
		js: 'import{createRequire as $require}from"node:module";const require=$require(import.meta.url);',
	},
	plugins: [withoutDevtools(), editLibraries()],
});

// The hook: one CommonJS file, for the oldest Node that clients still run it with.
await build({
	...shared,
	entryPoints: {hook: 'hooks/hook.ts'},
	outdir: out,
	outExtension: {'.js': '.cjs'},
	format: 'cjs',
	target: 'node18',
});

writeFileSync(join(out, 'THIRD-PARTY.txt'), thirdPartyNotices(program.metafile));
for (const bin of ['cli.js', 'hook.cjs']) chmodSync(join(out, bin), 0o755);
