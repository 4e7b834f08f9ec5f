import {existsSync, readdirSync, readFileSync, realpathSync, rmSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';

/** What a Quarterdeck elsewhere copies to a machine: a folder for each build, and Node's file of each version. */
const copied = /^(?:\d[\w.-]*-[0-9a-f]{12}|node-v[\d.]+)$/;

type RunningProgram = {
	readonly script: string;
	readonly node: string;
	/** What the clients' settings name as their hook. */
	readonly launcher: string;
};

/**
 * Removes earlier copies beside the one that runs as the service of this machine: once it runs, no other service does.
 * Those that hooks run stay. A Quarterdeck elsewhere that misses its own copies it again.
 */
export function removeOldPrograms({script, node, launcher}: RunningProgram): void {
	try {
		const own = dirname(realpathSync(script));
		const folder = dirname(own);
		if (basename(folder) !== 'remote' || !copied.test(basename(own))) return;
		const hooks = existsSync(launcher) ? readFileSync(launcher, 'utf8') : '';
		for (const name of readdirSync(folder)) {
			const isUsed = [own, node].includes(join(folder, name)) || hooks.includes(`/remote/${name}`);
			if (copied.test(name) && !isUsed) rmSync(join(folder, name), {recursive: true, force: true});
		}
	} catch {
		// They only take room.
	}
}
