import {closeSync, openSync, renameSync, rmSync} from 'node:fs';
import type {DatabaseSync} from 'node:sqlite';

/** A whole copy beside the file, as it was before it is migrated from `version`. Answers the copy's name. */
export function backUp(handle: DatabaseSync, file: string, version: number): string {
	const target = `${file}.schema-${version}.backup`;
	const draft = `${target}.${process.pid}`;
	try {
		// sqlite fills an empty file that is there already, and so keeps its rights.
		closeSync(openSync(draft, 'w', 0o600));
		handle.prepare('VACUUM INTO ?').run(draft);
		renameSync(draft, target);
	} catch (error) {
		rmSync(draft, {force: true});
		throw error;
	}
	return target;
}
