import {join} from 'node:path';

/** Path of the service's only database in a folder. */
export function databaseFile(folder: string): string {
	return join(folder, 'service.sqlite');
}
