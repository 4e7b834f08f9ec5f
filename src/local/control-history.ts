import {statSync} from 'node:fs';
import {join} from 'node:path';
import {readRegularFile} from '../../hooks/regular-file.ts';
import type {Storage} from './storage/open-storage.ts';

/**
 * Records a revision when the content of the user's settings file (`settings.json` in the service's folder)
 * has changed. A missing file counts as empty settings; one with invalid JSON is ignored.
 */
export function recordSettings(folder: string, storage: Storage): void {
	const file = join(folder, 'settings.json');
	const found = readSettings(file);
	if (!found) return;
	storage.transaction(() => {
		const latest = storage.controls.latest();
		const isKnown = JSON.stringify(latest?.settings ?? {}) === JSON.stringify(found.settings);
		if (!isKnown) storage.controls.add(found.settings, found.at);
	});
}

function readSettings(file: string): {settings: Record<string, unknown>; at: number} | undefined {
	const stat = statSync(file, {throwIfNoEntry: false});
	if (!stat) return {settings: {}, at: Date.now()};
	try {
		const settings: unknown = JSON.parse(readRegularFile(file));
		if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return undefined;
		return {settings: settings as Record<string, unknown>, at: Math.round(stat.mtimeMs)};
	} catch {
		return undefined;
	}
}
