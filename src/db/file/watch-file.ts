import {type FSWatcher, watch} from 'node:fs';
import {basename, dirname} from 'node:path';

/**
 * Calls `onWrite` once, at the next write to the file or its log by any program, including this one. Uses no
 * timer; a burst of writes costs one event. Returns the cancel function. Never calls back where watching
 * isn't possible.
 */
export function onNextWrite(file: string, onWrite: () => void): () => void {
	let watcher: FSWatcher | undefined;
	const name = basename(file);
	const end = () => watcher?.close();
	try {
		// Watch the folder, so that a file replacing this one is seen, too.
		watcher = watch(dirname(file), {persistent: false}, (_, changed) => {
			if (changed !== null && !changed.startsWith(name)) return;
			end();
			onWrite();
		});
		watcher.on('error', end);
	} catch {
		// No inotify watches are left, or the folder was removed.
	}
	return end;
}
