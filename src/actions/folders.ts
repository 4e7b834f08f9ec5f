import type {Service} from '../api/service.ts';
import {isWritable} from '../text/editor/mention.ts';
import {createCachedReads} from './cached-reads.ts';

/**
 * Names of the folders in a folder of a computer, or without one paths of its repositories. Returns what is known, and
 * calls `arrived` when newer ones are read.
 */
export type FolderFinder = (
	computerId: string,
	folder: string | undefined,
	arrived: () => void,
) => readonly string[] | undefined;

/** `now` in ms. */
export function createFolderFinder(service: Pick<Service, 'computers'>, now: () => number): FolderFinder {
	const known = createCachedReads<readonly string[]>(now);
	const read = async (computerId: string, folder: string | undefined) => {
		// A computer that can't be asked has none to offer.
		const folders = await service.computers.folders(computerId, folder).catch(() => []);
		return folders.filter(isWritable);
	};
	return (computerId, folder, arrived) =>
		known(JSON.stringify([computerId, folder]), () => read(computerId, folder), arrived);
}
