import {promises} from 'node:fs';
import {join} from 'node:path';
import type {Service} from '../api/service.ts';
import {isWritable} from '../text/editor/mention.ts';
import {createCachedReads} from './cached-reads.ts';
import {programEnvironment} from './user-programs.ts';

/** Limits of one listing, so that a home folder or a huge repository takes only a moment. */
const limits = {files: 20_000, folders: 2_000, depth: 12, gitBytes: 8 * 1024 * 1024, gitTime: 5_000} as const;

/** Names relative to a folder; names of folders end in `/`. Of an ignored folder, only its own name is listed. */
type Listing = {readonly files: readonly string[]; readonly ignored: readonly string[]};

/** File names for completion. Both methods return the cached listing, and call `arrived` once a newer one is loaded. */
export type FileFinder = {
	filesUnder(folder: string, arrived: () => void): Listing | undefined;
	entriesOf(folder: string, arrived: () => void): readonly string[] | undefined;
};

/** `now` in ms. */
export function createFileFinder(now: () => number): FileFinder {
	const listings = createCachedReads<Listing>(now);
	const folders = createCachedReads<readonly string[]>(now);
	return {
		filesUnder: (folder, arrived) => listings(folder, () => filesUnder(folder), arrived),
		entriesOf: (folder, arrived) => folders(folder, () => entriesOf(folder), arrived),
	};
}

async function filesUnder(folder: string): Promise<Listing> {
	// A path with a NUL can't be passed to a program.
	const {files, ignored} = (await gitFiles(folder).catch(() => undefined)) ?? (await walk(folder));
	return {files: withFolders(files.filter(isWritable)), ignored: ignored.filter(isWritable)};
}

/** Adds the folders that files are in, each before its first file. */
function withFolders(files: readonly string[]): string[] {
	const all = new Set<string>();
	for (const file of files) {
		for (let end = file.indexOf('/'); end >= 0; end = file.indexOf('/', end + 1))
			all.add(file.slice(0, end + 1));
		all.add(file);
	}
	return [...all];
}

/** Rejects outside a repository. */
async function gitFiles(folder: string): Promise<Listing | undefined> {
	const [{openRepository}, {inRepository}] = await Promise.all([
		import('../git/repository.ts'),
		import('../git/in-repository.ts'),
	]);
	return inRepository(await openRepository(folder, 'read'), async env => {
		const [files, ignored] = await Promise.all([
			listFiles(folder, env, ['--cached', '--others', '--deduplicate']),
			listFiles(folder, env, ['--others', '--ignored', '--directory']),
		]);
		return files && {files, ignored: ignored ?? []};
	});
}

async function listFiles(
	folder: string,
	env: Readonly<Record<string, string>>,
	which: readonly string[],
): Promise<readonly string[] | undefined> {
	const {spawn} = await import('node:child_process');
	return new Promise(resolve => {
		const args = ['ls-files', '-z', '--exclude-standard', ...which];
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

/** Walks breadth first, so that the limits cut off the deepest files. Ignores hidden folders and `node_modules`. */
async function walk(folder: string): Promise<Listing> {
	const files: string[] = [];
	const ignored: string[] = [];
	let level = [''];
	let folders = 0;
	for (let depth = 0; depth < limits.depth && level.length > 0; depth++) {
		const next: string[] = [];
		for (const prefix of level) {
			if (files.length >= limits.files || ++folders > limits.folders) return {files, ignored};
			for (const name of await entriesOf(join(folder, prefix)))
				if (!name.endsWith('/')) files.push(prefix + name);
				else if (name.startsWith('.') || name === 'node_modules/') ignored.push(prefix + name);
				else {
					files.push(prefix + name);
					next.push(prefix + name);
				}
		}
		level = next;
	}
	return {files: files.slice(0, limits.files), ignored};
}

/** Sorted by code unit; empty if the folder can't be read. */
async function entriesOf(folder: string): Promise<readonly string[]> {
	try {
		const entries = await promises.readdir(folder, {withFileTypes: true});
		return entries
			.filter(entry => entry.isFile() || entry.isDirectory() || entry.isSymbolicLink())
			.map(entry => (entry.isDirectory() ? `${entry.name}/` : entry.name))
			.filter(isWritable)
			.sort()
			.slice(0, limits.files);
	} catch {
		return [];
	}
}

/**
 * Names of the folders in a folder of a computer, or without one paths of its repositories. Returns what is known, and
 * calls `arrived` when newer ones are read.
 */
export type FolderFinder = (
	computerId: string,
	folder: string | undefined,
	arrived: () => void,
) => readonly string[] | undefined;

/** `now` in ms. */
export function createFolderFinder(service: Service, now: () => number): FolderFinder {
	const known = createCachedReads<readonly string[]>(now);
	const read = async (computerId: string, folder: string | undefined) => {
		// A computer that can't be asked has none to offer.
		const folders = await service.computers.folders(computerId, folder).catch(() => []);
		return folders.filter(isWritable);
	};
	return (computerId, folder, arrived) =>
		known(JSON.stringify([computerId, folder]), () => read(computerId, folder), arrived);
}
