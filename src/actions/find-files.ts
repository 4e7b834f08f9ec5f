import {promises} from 'node:fs';
import {join} from 'node:path';
import {createCachedReads} from './cached-reads.ts';
import {programEnvironment} from './hand-over-file.ts';

/** Limits of one listing, so that a home folder or a huge repository takes only a moment. */
const limits = {files: 20_000, folders: 2_000, depth: 12, gitBytes: 8 * 1024 * 1024, gitTime: 5_000} as const;

/** File names for completion. Both methods return the cached listing, and call `arrived` once a newer one is loaded. */
export type FileFinder = {
	/** All files under a folder, relative to it; in a git repository, only those not ignored. */
	filesUnder(folder: string, arrived: () => void): readonly string[] | undefined;
	/** The direct entries of a folder; names of folders end in `/`. */
	entriesOf(folder: string, arrived: () => void): readonly string[] | undefined;
};

/** `now` in ms. */
export function createFileFinder(now: () => number): FileFinder {
	const known = createCachedReads<readonly string[]>(now);
	return {
		filesUnder: (folder, arrived) => known(`under ${folder}`, () => filesUnder(folder), arrived),
		entriesOf: (folder, arrived) => known(`in ${folder}`, () => entriesOf(folder), arrived),
	};
}

async function filesUnder(folder: string): Promise<readonly string[]> {
	// A path with a NUL can't be passed to a program.
	return (await gitFiles(folder).catch(() => undefined)) ?? walk(folder);
}

/** Rejects outside a repository. */
async function gitFiles(folder: string): Promise<readonly string[] | undefined> {
	const [{openRepository}, {inRepository}] = await Promise.all([
		import('../git/repository.ts'),
		import('../git/in-repository.ts'),
	]);
	return inRepository(await openRepository(folder, 'read'), env => listFiles(folder, env));
}

async function listFiles(
	folder: string,
	env: Readonly<Record<string, string>>,
): Promise<readonly string[] | undefined> {
	const {spawn} = await import('node:child_process');
	return new Promise(resolve => {
		const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
		const git = spawn('git', args, {
			cwd: folder,
			stdio: ['ignore', 'pipe', 'ignore'],
			env: {...programEnvironment(), ...env},
			timeout: limits.gitTime,
		});
		const chunks: Buffer[] = [];
		let size = 0;
		let isCut = false;
		git.stdout.on('data', (chunk: Buffer) => {
			if (isCut) return;
			chunks.push(chunk);
			size += chunk.length;
			if (size < limits.gitBytes) return;
			isCut = true;
			git.kill();
		});
		git.on('error', () => resolve(undefined));
		git.on('close', code => {
			if (code !== 0 && !isCut) resolve(undefined);
			else resolve(Buffer.concat(chunks).toString('utf8').split('\0').slice(0, -1).slice(0, limits.files));
		});
	});
}

/** Walks breadth first, so that the limits cut off the deepest files. Skips hidden folders and `node_modules`. */
async function walk(folder: string): Promise<readonly string[]> {
	const files: string[] = [];
	let level = [''];
	let folders = 0;
	for (let depth = 0; depth < limits.depth && level.length > 0; depth++) {
		const next: string[] = [];
		for (const prefix of level) {
			if (files.length >= limits.files || ++folders > limits.folders) return files;
			for (const name of await entriesOf(join(folder, prefix)))
				if (!name.endsWith('/')) files.push(prefix + name);
				else if (!name.startsWith('.') && name !== 'node_modules/') next.push(prefix + name);
		}
		level = next;
	}
	return files.slice(0, limits.files);
}

/** Sorted by code unit; empty if the folder can't be read. */
async function entriesOf(folder: string): Promise<readonly string[]> {
	try {
		const entries = await promises.readdir(folder, {withFileTypes: true});
		return entries
			.filter(entry => entry.isFile() || entry.isDirectory() || entry.isSymbolicLink())
			.map(entry => (entry.isDirectory() ? `${entry.name}/` : entry.name))
			.sort()
			.slice(0, limits.files);
	} catch {
		return [];
	}
}
