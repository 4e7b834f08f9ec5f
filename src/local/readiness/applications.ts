import {posix} from 'node:path';
import type {SourceTree} from './source-tree.ts';

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
export function readManifest(tree: SourceTree, path: string): Record<string, unknown> {
	try {
		const value: unknown = JSON.parse(tree.read(path));
		return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
	} catch {
		return {};
	}
}
