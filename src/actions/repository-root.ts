import {promises} from 'node:fs';
import {dirname, join, relative} from 'node:path';

/** The root of the repository around a folder; outside of one, the folder itself. */
export async function rootOf(folder: string): Promise<string> {
	for (let root = folder; ; root = dirname(root)) {
		const isRoot = await promises.lstat(join(root, '.git')).then(
			() => true,
			() => false,
		);
		if (isRoot) return root;
		if (dirname(root) === root) return folder;
	}
}

/** Whether a file lies below a folder once all links are followed. False if it can't be found. */
export async function isBelow(path: string, folder: string): Promise<boolean> {
	const places = await Promise.all([promises.realpath(folder), promises.realpath(path)]).catch(
		() => undefined,
	);
	return places !== undefined && !/^\.\.(?:\/|$)/.test(relative(...places));
}
