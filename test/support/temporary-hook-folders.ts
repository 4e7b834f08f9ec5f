import {onTestFinished} from 'vitest';
import {type HookFolders, makeHookFolders} from './hook-folders.ts';

/** Folders for hooks that are gone after the test. */
export function temporaryHookFolders(): HookFolders {
	const folders = makeHookFolders();
	onTestFinished(folders.remove);
	return folders;
}
