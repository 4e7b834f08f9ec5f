import {homedir} from 'node:os';
import {isAbsolute, join, relative, resolve} from 'node:path';
import {isObject} from '../../../hooks/json.ts';
import {realPath} from '../../../hooks/real-path.ts';

/** Fields that hold paths in the inputs of clients' tools. */
const pathField = /(?:path|file|filename|dir|directory|folder|cwd|root|source|destination|target)s?$/i;

/** The paths that a tool's input names, at any depth. */
export function pathsIn(input: unknown, isPath = false): readonly string[] {
	if (typeof input === 'string') return isPath ? [input] : [];
	if (Array.isArray(input)) return input.flatMap(item => pathsIn(item, isPath));
	if (!isObject(input)) return [];
	return Object.entries(input).flatMap(([name, value]) => pathsIn(value, pathField.test(name)));
}

/** How many paths of a request are checked: each takes several system calls. */
const maxPaths = 1000;

/** Says of each path that is a link, or outside the session's folder, where it leads. Relative paths need `cwd`. */
export function pathWarnings(paths: readonly string[], cwd: string | undefined): readonly string[] {
	const folder = cwd === undefined ? undefined : realPath(cwd);
	if (cwd !== undefined && folder === undefined) return [unchecked(cwd)];
	const unique = [...new Set(paths)];
	const warnings = unique.slice(0, maxPaths).map(path => {
		if (path === '' || path.includes('\0') || !(isAbsolute(path) || cwd !== undefined)) return undefined;
		// Joined as text: `link/..` is not what it looks like.
		const absolute = isAbsolute(path)
			? path
			: path.startsWith('~/')
				? homedir() + path.slice(1)
				: `${cwd}/${path}`;
		const real = realPath(absolute);
		if (real === undefined) return unchecked(path);
		const asWritten = resolve(absolute);
		const inFolder = cwd === undefined ? '..' : relative(cwd, asWritten);
		const isDirect =
			real === (folder === undefined || isOutside(inFolder) ? asWritten : join(folder, inFolder));
		const leads = isDirect ? undefined : `${path} leads to ${real}`;
		if (folder === undefined || !isOutside(relative(folder, real))) return leads;
		return leads === undefined
			? `${path} is outside the session's folder`
			: `${leads}, outside the session's folder`;
	});
	const more = unique.length - maxPaths;
	if (more > 0) warnings.push(`${more} more paths weren't checked`);
	return [...new Set(warnings.filter(warning => warning !== undefined))];
}

function unchecked(path: string): string {
	return `${path} wasn't checked: it is too long, or a link that leads in a circle`;
}

function isOutside(relativePath: string): boolean {
	return relativePath === '..' || relativePath.startsWith('../') || isAbsolute(relativePath);
}
