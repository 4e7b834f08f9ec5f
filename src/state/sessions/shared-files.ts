import {isArchived, type KnownSession} from '../../domain/known.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import type {Fleet} from '../fleet.ts';
import {rememberEach} from '../rows/remember.ts';
import {compareText} from '../rows/table-rows.ts';

/** The other sessions that change a file, by its path: their ids, or in a list their names. */
export type SharedFiles = ReadonlyMap<string, readonly string[]>;

/**
 * Files that sessions in different work trees of one repository have both changed since their last commits, by session
 * id. Who changed a file in a folder that several share isn't known.
 */
export const sharedFiles = rememberEach((sessions: Fleet['sessions']): ReadonlyMap<string, SharedFiles> => {
	const shared = new Map<string, Map<string, readonly string[]>>();
	const changing = [...sessions.values()].filter(one => filesOf(one)?.paths && !isArchived(one));
	const repositories = Map.groupBy(changing, one => `${one.computerId} ${filesOf(one)?.repository}`);
	for (const group of repositories.values()) {
		if (new Set(group.map(one => filesOf(one)?.folder)).size < 2) continue;
		const changes = group.flatMap(one => (filesOf(one)?.paths ?? []).map(path => ({one, path})));
		for (const [path, both] of Map.groupBy(changes, ({path}) => path))
			for (const {one} of both) {
				const others = both.filter(other => filesOf(other.one)?.folder !== filesOf(one)?.folder);
				if (others.length === 0) continue;
				const files = shared.get(one.id) ?? new Map<string, readonly string[]>();
				shared.set(one.id, files);
				files.set(
					path,
					others.map(other => other.one.id),
				);
			}
	}
	return shared;
});

/** By title, the next session after this one in another folder of its repository, in turns; undefined if there is none. */
export function nextOfRepository(sessions: Fleet['sessions'], id: string): string | undefined {
	const own = sessions.get(id);
	const place = own && filesOf(own);
	if (!own || place?.repository === undefined) return undefined;
	// Sessions in one folder have the same changes.
	const folders = new Map<string | undefined, string>();
	for (const one of sessions.values()) {
		const {folder, repository} = filesOf(one) ?? {};
		const isHere = one.computerId === own.computerId && repository === place.repository;
		if (isHere && (one === own || (!isArchived(one) && folder !== place.folder))) folders.set(folder, one.id);
	}
	const titleOf = (one: string) => sessions.get(one)?.session?.title ?? '';
	const ids = [...folders.values()].sort((a, b) => compareText(titleOf(a), titleOf(b)) || compareText(a, b));
	const next = ids[(ids.indexOf(id) + 1) % ids.length];
	return next === id ? undefined : next;
}

/**
 * `also in fix-login, docs`: who else changes the file, or any file, with names in at most `width` columns; undefined
 * if nobody does.
 */
export function alsoIn(shared: SharedFiles | undefined, path?: string, width = 20): Safe | undefined {
	const names = path === undefined ? [...new Set([...(shared?.values() ?? [])].flat())] : shared?.get(path);
	return names?.length ? safe`also in ${cleanLine(names.slice(0, 3).join(', '), width)}` : undefined;
}

const filesOf = ({session}: KnownSession) => session?.workFolder;
