import {type Dirent, promises} from 'node:fs';
import {homedir} from 'node:os';
import {dirname, join} from 'node:path';
import {z} from 'zod';
import {cwdLength} from '../../domain/limits.ts';
import {agentRoot} from '../../domain/sessions/agent-request.ts';
import type {LocalContext} from '../context.ts';
import {parseQuery, text} from '../http/fields.ts';
import {get, type Route} from '../http/router.ts';
import {isMachine} from '../machines/machines.ts';
import type {StoredComputer} from '../storage/computers.ts';
import {findComputer} from './computers.ts';
import {folderOn} from './sessions.ts';

const query = z.strictObject({in: text(1, cwdLength.max).optional()});
const maxFolders = 1000;
/** Folders that are searched for repositories, at most. */
const maxSearched = 500;
const maxRepositories = 100;
/** macOS asks the user before a program may read these. */
const guarded: ReadonlySet<string> = new Set(
	process.platform === 'darwin'
		? ['Desktop', 'Documents', 'Downloads', 'Library', 'Movies', 'Music', 'Pictures']
		: [],
);

/** Serves the folders in a folder of a computer, by name, or else its repositories, by path. Not in the contract. */
export function folderRoutes(context: LocalContext): Route[] {
	return [
		get(`${agentRoot}/computers/:computerId/folders`, async call => {
			const {in: folder} = parseQuery(query, call.query);
			const computer = findComputer(context, call.params.computerId);
			if (isMachine(computer)) return context.machines.folders(computer, folder);
			if (folder === undefined) return {folders: await repositories(context, computer)};
			const entries = await foldersIn(folderOn(computer, folder));
			return {folders: entries.map(({name}) => name).slice(0, maxFolders)};
		}),
	];
}

/** Links to folders, too. Empty if the folder can't be read. */
async function foldersIn(folder: string): Promise<readonly Dirent[]> {
	const entries = await promises.readdir(folder, {withFileTypes: true}).catch(() => []);
	const isFolder = await Promise.all(
		entries.map(async entry => {
			if (!entry.isSymbolicLink()) return entry.isDirectory();
			const target = await promises.stat(join(folder, entry.name)).catch(() => undefined);
			return target?.isDirectory() ?? false;
		}),
	);
	return entries.filter((_, index) => isFolder[index]).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Repositories beside the folders of the computer's sessions, and up to two folders below home; used last first. */
async function repositories({storage}: LocalContext, computer: StoredComputer): Promise<string[]> {
	const used = storage.sessions.folders(computer.id);
	const home = homedir();
	const found = new Map<string, number>();
	let level = [...new Set([home, ...used.map(dirname)])];
	let searched = 0;
	for (const isLast of [false, true]) {
		const next: string[] = [];
		for (const parent of level) {
			if (++searched > maxSearched) break;
			for (const entry of await foldersIn(parent)) {
				const {name} = entry;
				if (
					!entry.isDirectory() ||
					name.startsWith('.') ||
					name === 'node_modules' ||
					(parent === home && guarded.has(name))
				)
					continue;
				const path = join(parent, name);
				const git = await promises.stat(join(path, '.git')).catch(() => undefined);
				if (git) found.set(path, git.mtimeMs);
				else if (parent === home) next.push(path);
			}
		}
		if (isLast) break;
		level = next;
	}
	const newestFirst = [...found].sort(([, a], [, b]) => b - a);
	return newestFirst.map(([path]) => path).slice(0, maxRepositories);
}
