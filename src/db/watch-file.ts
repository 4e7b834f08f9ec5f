import {type FSWatcher, watch} from 'node:fs';
import {basename, dirname} from 'node:path';

/**
 * Calls `onWrite` once, when any program, this one included, next writes to the file or to its log. Watching takes no
 * timer; a flood of writes costs one event. Answers how to end it. Where nothing can be watched it is never called.
 */
export function onNextWrite(file: string, onWrite: () => void): () => void {
	let watcher: FSWatcher | undefined;
	const name = basename(file);
	const end = () => watcher?.close();
	try {
		// The folder: a file that takes the place of the first is watched too.
		watcher = watch(dirname(file), {persistent: false}, (_, changed) => {
			if (changed !== null && !changed.startsWith(name)) return;
			end();
			onWrite();
		});
		watcher.on('error', end);
	} catch {
		// No inotify is left, or the folder is gone.
	}
	return end;
}
