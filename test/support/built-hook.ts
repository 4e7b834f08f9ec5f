import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {build, type Plugin} from 'esbuild';

const source = (name: string) => new URL(`../../hooks/${name}.ts`, import.meta.url).pathname;

/** Lets the hook wait for programs that a busy machine makes late: what it then does depends on no time. */
const withoutHaste: Plugin = {
	name: 'without-haste',
	setup({onLoad}) {
		const contents = 'export const deadlines = {run: 6e4, sessionEnd: 6e4, connect: 6e4, answer: 6e4};';
		onLoad({filter: /deadlines\.ts$/}, () => ({contents, loader: 'ts'}));
	},
};

/**
 * The hook binary as one file, built for the test that asks; `remove` takes it away. One that is patient has a minute
 * for everything.
 */
export async function buildHook({
	isPatient = false,
	name = 'hook',
} = {}): Promise<{file: string; remove(): void}> {
	const folder = mkdtempSync(join(tmpdir(), 'hook-build-'));
	const file = join(folder, `${name}.cjs`);
	await build({
		entryPoints: [source(name)],
		outfile: file,
		bundle: true,
		format: 'cjs',
		platform: 'node',
		target: 'node18',
		minify: true,
		plugins: isPatient ? [withoutHaste] : [],
	});
	return {file, remove: () => rmSync(folder, {recursive: true, force: true})};
}
