import {closeSync, openSync, renameSync, rmSync} from 'node:fs';
import type {DatabaseSync} from 'node:sqlite';

/** Copies the whole file beside itself before it is migrated from `version`. Returns the copy's path. */
export function backUp(handle: DatabaseSync, file: string, version: number): string {
	const target = `${file}.schema-${version}.backup`;
	const draft = `${target}.${process.pid}`;
	try {
		// sqlite fills an existing empty file, and so keeps its permissions.
		closeSync(openSync(draft, 'w', 0o600));
		handle.prepare('VACUUM INTO ?').run(draft);
		renameSync(draft, target);
	} catch (error) {
		rmSync(draft, {force: true});
		throw error;
	}
	return target;
}
