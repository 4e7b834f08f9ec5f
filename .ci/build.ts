import {createHash} from 'node:crypto';
import {
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {basename, join, resolve} from 'node:path';
import {type BuildOptions, build, type Metafile, type Plugin} from 'esbuild';
import {type Topic, topics} from '../src/commands/cli/topics.ts';
import {manPage, topicPage} from '../src/commands/help/man-pages.ts';
import {editLibraries} from './edit-libraries.ts';
import {thirdPartyNotices} from './third-party.ts';

const top = resolve(import.meta.dirname, '..');
const {version} = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
const out = process.argv[2] ? resolve(process.argv[2]) : join(top, 'dist');
/** `node .ci/build.ts FOLDER readable` keeps names, for profiles and debuggers. */
const isReadable = process.argv[3] === 'readable';
/** Written last; has the time when the build began. */
const lastFile = 'THIRD-PARTY.txt';
const beganAt = new Date();

/** Whether no input was changed, added or removed since the last build. */
function isBuilt(): boolean {
	const changedAt = (file: string) => statSync(file, {throwIfNoEntry: false})?.mtimeMs;
	const last = changedAt(join(out, lastFile));
	const folders = ['.ci', 'hooks', 'src'];
	const inside = folders.flatMap(folder =>
		readdirSync(join(top, folder), {recursive: true}).map(path => join(folder, String(path))),
	);
	const inputs = ['package.json', 'package-lock.json', ...folders, ...inside];
	return last !== undefined && inputs.every(path => (changedAt(join(top, path)) ?? Infinity) < last);
}

// `node .ci/build.ts FOLDER if-changed` is for starts from the project.
if (process.argv[3] === 'if-changed' && isBuilt()) process.exit();

const shared: BuildOptions = {
	absWorkingDir: top,
	bundle: true,
	platform: 'node',
	format: 'cjs',
	minify: !isReadable,
	logLevel: 'warning',
	legalComments: 'none',
	loader: {'.md': 'text'},
	// Its main file is UMD, whose imports esbuild can't bundle.
	alias: {'jsonc-parser': 'jsonc-parser/lib/esm/main.js'},
	define: {
		'process.env.NODE_ENV': '"production"',
		'process.env.DEV': '"false"',
		__VERSION__: JSON.stringify(version),
	},
};

// `npm run -s` prints nothing itself.
const {stderr} = process;
if (stderr.isTTY) stderr.write('Building…');

/** What is built, by its file's name. A program may run from the last build: each file replaces its old one as a whole. */
const built = new Map<string, string | Uint8Array>();

async function buildFiles(options: BuildOptions): Promise<Metafile> {
	const {outputFiles, metafile} = await build({...shared, ...options, metafile: true, write: false});
	for (const {path, contents} of outputFiles) built.set(basename(path), contents);
	return metafile;
}

// Scripts, whose compiled code the entry caches.
const script: BuildOptions = {
	...shared,
	target: 'node22',
	// For crash reports, which find it by name; a debugger needs the link.
	sourcemap: isReadable ? 'linked' : 'external',
	sourcesContent: false,
	// A script can't import, so dynamic imports become `require`.
	supported: {'dynamic-import': false},
	// A script has no URL, but libraries call `createRequire` with one, only to load Node's own modules.
	define: {...shared.define, 'import.meta': 'importMeta'},
	banner: {js: '(function(module,require){const importMeta={url:"file:///program.js"};'},
	footer: {js: '})'},
};
const inputs: Metafile['inputs'][] = [];
const identities: Record<string, string> = {};

function contentOf(file: string): string | Uint8Array {
	const content = built.get(file);
	if (content === undefined) throw new Error(`${file} was not built`);
	return content;
}

/**
 * Escapes what isn't ASCII: esbuild leaves it in tagged templates and regular expressions, and one such character makes
 * V8 hold the whole script as UTF-16. First frame: 4 % of the budget.
 */
const asciiSources: Plugin = {
	name: 'ascii-sources',
	setup(build) {
		build.onLoad({filter: /\.(?:tsx?|[cm]?js)$/}, ({path}) => ({
			contents: readFileSync(path, 'utf8').replace(
				/[\u0080-\uffff]/g,
				unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
			),
			loader: path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js',
		}));
	},
};

async function buildScript(name: string, {plugins = [], ...options}: BuildOptions): Promise<void> {
	const file = `${name}.js`;
	const metafile = await buildFiles({
		...script,
		...options,
		plugins: [...plugins, editLibraries(), asciiSources],
		outfile: join(out, file),
	});
	inputs.push(metafile.inputs);
	identities[name] = createHash('sha256').update(contentOf(file)).digest('hex').slice(0, 16);
}

/** Libraries that are scripts of their own, and load when a module that imports them first runs: most runs don't need them. */
const libraries: Readonly<Record<string, string>> = {
	undici: 'undici',
	'undici/lib/dispatcher/agent.js': 'undici-agent',
	zod: 'zod',
};

/**
 * A module of ours that is a script of its own, and loads when one of its exports is first used: drawing can't wait for a
 * dynamic import. First frame: 8 % of the budget.
 */
const lateModule = 'src/text/markdown/code-grammars.ts';

/** An esbuild plugin for what is no part of a script: the above, and dynamic imports that it never performs. */
function leaveOut(isLeftOut: (path: string, importer: string) => boolean): Plugin {
	const namespace = 'late-module';
	return {
		name: 'leave-out',
		setup(build) {
			build.onResolve({filter: /./}, ({path, kind, importer}) => {
				if (path === './code-grammars.ts') return {path: 'code-grammars', namespace};
				if (path === demoModule) return {path: 'demo', external: true};
				const left =
					libraries[path] ?? (kind === 'dynamic-import' && isLeftOut(path, importer) ? path : undefined);
				return left === undefined ? undefined : {path: left, external: true};
			});
			build.onResolve({filter: /./, namespace}, ({path}) => ({path, external: true}));
			// The types say that each export is there. esbuild copies exports when it imports, but not inherited ones.
			build.onLoad({filter: /./, namespace}, ({path}) => ({
				contents: `module.exports = Object.create(new Proxy({}, {get: (_, name) => require('${path}')[name]}));`,
			}));
		},
	};
}

/** The demo, which only its flag loads. */
const demoModule = '../../demo.ts';

for (const [path, name] of Object.entries(libraries)) await buildScript(name, {entryPoints: [path]});
await buildScript('code-grammars', {entryPoints: [lateModule]});
await buildScript('demo', {entryPoints: ['src/demo.ts'], plugins: [leaveOut(() => false)]});

// The program, once for the screen and once for the commands: neither loads the other's code, except that the screen's
// script has the commands that read its keys. Each module runs on first use. Commands: 5 % of the budget, those without a request 10 %.
/** What the table imports for its commands marked `readsKeys`. */
const readKeys = ['../keys.ts', '../doctor/doctor.ts'];
const isTable = (importer: string) => importer === join(top, 'src/commands/cli/table.ts');
const leftOut: Readonly<Record<string, (path: string, importer: string) => boolean>> = {
	screen: (path, importer) => isTable(importer) && !readKeys.includes(path),
	commands: (path, importer) => path === './screen.ts' || (isTable(importer) && readKeys.includes(path)),
};
for (const [name, isLeftOut] of Object.entries(leftOut)) {
	await buildScript(name, {
		entryPoints: ['src/commands/cli/run.ts'],
		plugins: [leaveOut(isLeftOut)],
	});
}

// The table of commands for help, without their code.
await buildScript('help', {entryPoints: ['src/commands/cli/help.ts'], plugins: [leaveOut(() => true)]});

// The entry: one small file without a library in it, so that `--version` costs no more than Node itself.
await buildFiles({
	entryPoints: {cli: 'src/cli.ts'},
	outdir: out,
	outExtension: {'.js': '.cjs'},
	target: 'node18',
	define: {
		...shared.define,
		'import.meta.dirname': '__dirname',
		__SCRIPTS__: JSON.stringify(identities),
	},
});

// The hooks: one CommonJS file each, for the oldest Node that clients run.
await buildFiles({
	entryPoints: {hook: 'hooks/hook.ts', 'answer-hook': 'hooks/answer-hook.ts'},
	outdir: out,
	outExtension: {'.js': '.cjs'},
	target: 'node18',
});

built.set('quarterdeck.1', manPage(version));
for (const [topic, about] of Object.entries(topics)) {
	const text = readFileSync(join(top, 'src/commands/help', `${topic}.md`), 'utf8');
	built.set(`quarterdeck-${topic}.7`, topicPage(topic as Topic, about, text, version));
}
built.set(lastFile, thirdPartyNotices(Object.assign({}, ...inputs)));
mkdirSync(out, {recursive: true});
const before = readdirSync(out);
for (const [name, content] of built) {
	const file = join(out, name);
	writeFileSync(`${file}.new`, content, {mode: name.endsWith('.cjs') ? 0o755 : 0o644});
	if (name === lastFile) utimesSync(`${file}.new`, beganAt, beganAt);
	renameSync(`${file}.new`, file);
}
for (const name of before) if (!built.has(name)) rmSync(join(out, name), {recursive: true, force: true});
if (stderr.isTTY) stderr.write('\r\u001B[K');
