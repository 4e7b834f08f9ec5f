import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {build} from 'esbuild';

/** The programs of this folder that run as processes of their own, each as one file; `remove` takes them away. */
export async function bundle<Name extends string>(
	names: readonly Name[],
): Promise<{files: Readonly<Record<Name, string>>; remove(): void}> {
	const folder = mkdtempSync(join(tmpdir(), 'soak-build-'));
	await build({
		entryPoints: names.map(name => resolve(import.meta.dirname, `${name}.ts`)),
		outdir: folder,
		bundle: true,
		format: 'cjs',
		platform: 'node',
		target: 'node22',
		outExtension: {'.js': '.cjs'},
	});
	const files = Object.fromEntries(names.map(name => [name, join(folder, `${name}.cjs`)]));
	return {
		files: files as Record<Name, string>,
		remove: () => rmSync(folder, {recursive: true, force: true}),
	};
}
