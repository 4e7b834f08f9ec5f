import {createHash} from 'node:crypto';
import {chmodSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {type BuildOptions, build} from 'esbuild';
import {editLibraries} from './edit-libraries.ts';
import {thirdPartyNotices} from './third-party.ts';

const top = resolve(import.meta.dirname, '..');
const {version} = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
const out = process.argv[2] ? resolve(process.argv[2]) : join(top, 'dist');
/** `node .ci/build.ts FOLDER readable`: functions keep their names, for profiles. */
const isReadable = process.argv[3] === 'readable';

const shared: BuildOptions = {
	absWorkingDir: top,
	bundle: true,
	platform: 'node',
	format: 'cjs',
	minify: !isReadable,
	metafile: true,
	logLevel: 'warning',
	legalComments: 'none',
	define: {
		'process.env.NODE_ENV': '"production"',
		'process.env.DEV': '"false"',
		__VERSION__: JSON.stringify(version),
	},
};

rmSync(out, {recursive: true, force: true});

// The program: one script, in which each part runs when it is first asked for. The entry keeps its compiled code.
const program = await build({
	...shared,
	entryPoints: {program: 'src/commands/run.ts'},
	outdir: out,
	target: 'node22',
	// A script can't import: what is loaded late is required then.
	supported: {'dynamic-import': false},
	// A script has no address of its own; its libraries make their `require` of one, and ask it for Node's modules only.
	define: {...shared.define, 'Intl.Segmenter': 'LazySegmenter', 'import.meta': 'importMeta'},
	inject: [join(import.meta.dirname, 'lazy-segmenter.ts')],
	banner: {js: '(function(module,require){const importMeta={url:"file:///program.js"};'},
	footer: {js: '})'},
	plugins: [editLibraries()],
});
const script = escaped(readFileSync(join(out, 'program.js'), 'utf8'));
writeFileSync(join(out, 'program.js'), script);

// The entry: one small file without a library in it, so that `--version` costs no more than Node itself.
await build({
	...shared,
	entryPoints: {cli: 'src/cli.ts'},
	outdir: out,
	outExtension: {'.js': '.cjs'},
	target: 'node18',
	define: {
		...shared.define,
		'import.meta.dirname': '__dirname',
		__PROGRAM__: JSON.stringify(createHash('sha256').update(script).digest('hex').slice(0, 16)),
	},
});

// The hook: one CommonJS file, for the oldest Node that clients still run it with.
await build({
	...shared,
	entryPoints: {hook: 'hooks/hook.ts'},
	outdir: out,
	outExtension: {'.js': '.cjs'},
	target: 'node18',
});

/** All ASCII: then V8 keeps a byte for a character, and nothing is decoded at a start. esbuild leaves templates as they are. */
function escaped(source: string): string {
	return source.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

writeFileSync(join(out, 'THIRD-PARTY.txt'), thirdPartyNotices(program.metafile));
for (const bin of ['cli.cjs', 'hook.cjs']) chmodSync(join(out, bin), 0o755);
