import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import type {Envelope} from '../../hooks/wire.ts';

/** A user's folders, empty, and the environment that names them. */
export type HookFolders = {
	readonly root: string;
	/** Where programs listen. */
	readonly runtime: string;
	readonly spool: string;
	readonly env: NodeJS.ProcessEnv;
	/** What waits in a spool folder, in the order of its names. */
	spooled(folder?: string): Envelope[];
	remove(): void;
};

export function makeHookFolders(): HookFolders {
	// Short, as paths of sockets must be.
	const root = mkdtempSync('/tmp/hp-');
	for (const folder of ['run', 'state', 'home', 'tmp']) mkdirSync(join(root, folder), {mode: 0o700});
	const spool = join(root, 'state', 'quarterdeck', 'spool');
	return {
		root,
		runtime: join(root, 'run', 'quarterdeck'),
		spool,
		env: {
			PATH: process.env.PATH,
			XDG_RUNTIME_DIR: join(root, 'run'),
			XDG_STATE_HOME: join(root, 'state'),
			HOME: join(root, 'home'),
			TMPDIR: join(root, 'tmp'),
		},
		spooled(folder = spool) {
			return namesIn(folder)
				.filter(name => name.endsWith('.json') && !name.startsWith('.'))
				.sort()
				.map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Envelope);
		},
		remove: () => rmSync(root, {recursive: true, force: true}),
	};
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
