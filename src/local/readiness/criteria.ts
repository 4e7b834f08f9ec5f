import {join, posix} from 'node:path';
import {readSmallFile} from '../../git/small-file.ts';

/** A repository's files as git lists them: relative paths with forward slashes. */
export type SourceTree = ReturnType<typeof createSourceTree>;

const maxFileSize = 1024 * 1024;

export function createSourceTree(root: string, files: readonly string[]) {
	const known = new Set(files);
	return {
		files,
		/** A file's text; empty when it is a symlink, can't be read or is over 1 MiB. */
		read(path: string): string {
			if (!known.has(path)) return '';
			return readSmallFile(join(root, path), {maxSize: maxFileSize}) ?? '';
		},
	};
}

/** A separately built part of a repository. `path` is `.` for the root. */
export type Application = {readonly path: string; readonly manifest?: string; readonly description: string};

const manifests = ['package.json', 'pyproject.toml', 'setup.py', 'Cargo.toml', 'go.mod'];
/** Maximum number of applications to evaluate per repository. */
const maxApplications = 50;

/** Finds the folders with a manifest; a repository without any is one application. */
export function findApplications(tree: SourceTree): Application[] {
	const found = new Map<string, string>();
	for (const file of tree.files) {
		const {dir, base} = posix.parse(file);
		if (manifests.includes(base) && !found.has(dir)) found.set(dir, file);
	}
	if (found.size === 0) return [{path: '.', description: 'repository without a known manifest'}];
	return [...found]
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.slice(0, maxApplications)
		.map(([dir, manifest]) => ({path: dir || '.', manifest, description: describe(tree, manifest)}));
}

function describe(tree: SourceTree, manifest: string): string {
	const base = posix.basename(manifest);
	if (base !== 'package.json') return `application with a ${base}`;
	const {name, description} = readManifest(tree, manifest);
	return (
		[name, description].filter(part => typeof part === 'string' && part !== '').join(': ') || 'Node package'
	);
}

/** Parses a package.json; an empty object if it is invalid. */
function readManifest(tree: SourceTree, path: string): Record<string, unknown> {
	try {
		const value: unknown = JSON.parse(tree.read(path));
		return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
	} catch {
		return {};
	}
}

/** One check, of the whole repository or of each application. */
export type Criterion = {
	readonly id: string;
	readonly scope: 'repository' | 'application';
	/** The condition for passing, for the rationale. */
	readonly wanted: string;
	/** Returns the evidence, or undefined when the criterion is not met. */
	find(tree: SourceTree, application: Application): string | undefined;
};

const root = (id: string, wanted: string, pattern: RegExp): Criterion => ({
	id,
	scope: 'repository',
	wanted,
	find: tree => tree.files.find(file => pattern.test(file)),
});

/** Met by a file in the application's folder or above it, or by its manifest (script, dependency, section). */
const inApplication = (
	id: string,
	wanted: string,
	files: RegExp,
	manifest: {readonly script?: RegExp; readonly section?: RegExp} = {},
): Criterion => ({
	id,
	scope: 'application',
	wanted,
	find: (tree, application) =>
		findScript(tree, application, manifest.script) ??
		findSection(tree, application, manifest.section) ??
		findFile(tree, application, files),
});

export const criteria: readonly Criterion[] = [
	root('readme', 'a README', /^readme(\.\w+)?$/i),
	root('license', 'a license', /^(licen[cs]e|copying)(\.\w+)?$/i),
	root('gitignore', 'a .gitignore', /^\.gitignore$/),
	root(
		'agent_instructions',
		'instructions for agents (AGENTS.md or CLAUDE.md)',
		/^(agents|claude|gemini)\.md$/i,
	),
	root('editorconfig', 'an .editorconfig', /^\.editorconfig$/),
	root('contributing_guide', 'a contributing guide', /^(\.github\/|docs\/)?contributing(\.\w+)?$/i),
	root('code_owners', 'code owners', /^(\.github\/|docs\/)?codeowners$/i),
	root(
		'continuous_integration',
		'continuous integration',
		/^(\.github\/workflows\/.+\.ya?ml|\.gitlab-ci\.yml|\.circleci\/config\.yml|azure-pipelines\.yml|jenkinsfile|\.ci\/.+|\.travis\.yml)$/i,
	),
	inApplication(
		'lock_file',
		'a lock file',
		/^(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|uv\.lock|poetry\.lock|Pipfile\.lock|requirements\.txt|Cargo\.lock|go\.sum)$/,
	),
	inApplication(
		'tests',
		'tests',
		/(^|\/)(tests?|__tests__|spec)\/|[._-](test|spec)\.\w+$|(^|\/)test_\w+\.py$|_test\.go$/,
		{
			script: /^test$/,
		},
	),
	inApplication(
		'linter',
		'a linter',
		/^(\.?eslint(rc)?(\.config)?\.\w+|\.eslintrc|\.?biome\.jsonc?|\.?oxlint(rc)?\.json|\.?ruff\.toml|\.flake8|\.pylintrc|\.golangci\.ya?ml|clippy\.toml)$/,
		{script: /^lint/, section: /\[tool\.(ruff|pylint|flake8)/},
	),
	inApplication(
		'formatter',
		'a formatter',
		/^(\.prettierrc(\.\w+)?|prettier\.config\.\w+|\.?biome\.jsonc?|dprint\.json|\.?rustfmt\.toml|\.clang-format)$/,
		{script: /^(format|fmt)/, section: /\[tool\.(black|ruff\.format|yapf)/},
	),
	inApplication(
		'type_check',
		'a type check',
		/^(tsconfig(\.\w+)?\.json|mypy\.ini|pyrightconfig\.json|Cargo\.toml|go\.mod)$/,
		{
			script: /^(type-?check|types|tsc)$/,
			section: /\[tool\.(mypy|pyright)/,
		},
	),
	inApplication(
		'build_script',
		'a one-command build',
		/^(Makefile|justfile|Cargo\.toml|go\.mod|Taskfile\.ya?ml)$/,
		{
			script: /^build$/,
			section: /\[build-system\]/,
		},
	),
];

function findScript(
	tree: SourceTree,
	{manifest}: Application,
	pattern: RegExp | undefined,
): string | undefined {
	if (!pattern || !manifest?.endsWith('package.json')) return undefined;
	const {scripts} = readManifest(tree, manifest);
	if (typeof scripts !== 'object' || scripts === null) return undefined;
	const name = Object.keys(scripts).find(script => pattern.test(script));
	return name === undefined ? undefined : `script "${name}" in ${manifest}`;
}

function findSection(
	tree: SourceTree,
	{manifest}: Application,
	pattern: RegExp | undefined,
): string | undefined {
	if (!pattern || !manifest?.endsWith('.toml')) return undefined;
	const section = pattern.exec(tree.read(manifest))?.[0];
	return section === undefined ? undefined : `${section.replace(/\]?$/, ']')} in ${manifest}`;
}

function findFile(tree: SourceTree, {path}: Application, pattern: RegExp): string | undefined {
	const inside = path === '.' ? '' : `${path}/`;
	return (
		tree.files.find(file => file.startsWith(inside) && pattern.test(file.slice(inside.length))) ??
		// The root's configuration also applies to the applications below it.
		tree.files.find(file => pattern.test(file))
	);
}
